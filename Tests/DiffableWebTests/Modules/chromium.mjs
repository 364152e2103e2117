// A page in Chromium, without a window.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"

const program = "/usr/bin/chromedriver"

/** What a test needs that has a page: it is left out where there is no Chromium. */
export const options = { skip: !existsSync(program), timeout: 60_000 }

export class Chromium {
  #driver
  #address
  #session

  async start() {
    this.#driver = spawn(program, ["--port=0"])
    for await (const line of createInterface({ input: this.#driver.stdout })) {
      const [, port] = line.match(/successfully on port (\d+)\./) ?? []
      if (!port) continue
      this.#address = `http://127.0.0.1:${port}`
      break
    }
    const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    const { sessionId } = await this.#call("POST", "session", {
      capabilities: { alwaysMatch: { "goog:chromeOptions": { args } } },
    })
    this.#session = `session/${sessionId}`
  }

  async end() {
    if (this.#session) await this.#call("DELETE", this.#session)
    this.#driver?.kill()
  }

  async #call(method, path, body) {
    const response = await fetch(`${this.#address}/${path}`, { method, body: body && JSON.stringify(body) })
    const { value } = await response.json()
    assert.ok(response.ok, JSON.stringify(value))
    return value
  }

  open(url) { return this.#call("POST", `${this.#session}/url`, { url }) }

  value(expression) {
    return this.#call("POST", `${this.#session}/execute/sync`, { script: `return ${expression}`, args: [] })
  }

  /** Waits for a script that calls `done`. */
  wait(script, ...args) { return this.#call("POST", `${this.#session}/execute/async`, { script, args }) }

  press(key) {
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: key }))
    return this.#call("POST", `${this.#session}/actions`, { actions: [{ type: "key", id: "keys", actions }] })
  }

  command(cmd, params) { return this.#call("POST", `${this.#session}/goog/cdp/execute`, { cmd, params }) }
}
