// A page in Chromium, without a window.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"

const program = "/usr/bin/chromedriver"

/** How long something in a page may take, in milliseconds, on a machine that does other things too. */
const patience = 120_000

/** What a test needs that has a page: it is left out where there is no Chromium. */
export const options = { skip: !existsSync(program), timeout: 300_000 }

export class Chromium {
  #driver
  #address
  #session

  async start() {
    // The driver takes a port for one protocol, and ends if the same port is not free for the other one.
    for (let round = 0; round < 8 && !this.#address; round += 1) await this.#startDriver()
    assert.ok(this.#address, "chromedriver has said no port")
    const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    const { sessionId } = await this.#call("POST", "session", {
      capabilities: { alwaysMatch: { "goog:chromeOptions": { args }, timeouts: { script: patience } } },
    })
    this.#session = `session/${sessionId}`
  }

  async #startDriver() {
    const driver = spawn(program, ["--port=0"])
    this.#driver = driver
    const limit = setTimeout(() => driver.kill("SIGKILL"), patience)
    for await (const line of createInterface({ input: driver.stdout })) {
      const [, port] = line.match(/successfully on port (\d+)\./) ?? []
      if (!port) continue
      this.#address = `http://127.0.0.1:${port}`
      break
    }
    clearTimeout(limit)
  }

  async end() {
    try {
      if (this.#session) await this.#call("DELETE", this.#session)
    } finally {
      // As long as it runs, so does this process.
      this.#driver?.kill()
    }
  }

  async #call(method, path, body) {
    const response = await fetch(`${this.#address}/${path}`, {
      method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(2 * patience),
    })
    const { value } = await response.json()
    assert.ok(response.ok, JSON.stringify(value))
    return value
  }

  open(url) { return this.#call("POST", `${this.#session}/url`, { url }) }

  value(expression) {
    return this.#call("POST", `${this.#session}/execute/sync`, { script: `return ${expression}`, args: [] })
  }

  /** Waits for a script that calls `done`. */
  async wait(script, ...args) {
    try {
      return await this.#call("POST", `${this.#session}/execute/async`, { script, args })
    } catch (error) {
      throw new Error(`with ${JSON.stringify(args)}, this did not come to an end: ${script}`, { cause: error })
    }
  }

  press(key) {
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: key }))
    return this.#call("POST", `${this.#session}/actions`, { actions: [{ type: "key", id: "keys", actions }] })
  }

  command(cmd, params) { return this.#call("POST", `${this.#session}/goog/cdp/execute`, { cmd, params }) }
}
