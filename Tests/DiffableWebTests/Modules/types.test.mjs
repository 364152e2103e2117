import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { gzipSync } from "node:zlib"

import { Browser } from "./browser.mjs"

const folder = new URL("../../../Sources/DiffableWeb/Modules/", import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith(".js"))
const text = (name) => readFileSync(new URL(name, folder), "utf8")

/** The public names of an instance and of its class, with those that a constructor sets. */
function members(made, type) {
  const own = [...Object.getOwnPropertyNames(made), ...Object.getOwnPropertyNames(type.prototype)]
  const shared = Object.getOwnPropertyNames(type).filter((name) => !["length", "name", "prototype"].includes(name))
  return new Set([...own, ...shared].filter((name) => name !== "constructor"))
}

/** The names that a declaration of a class lists. */
function declared(types, name) {
  const [, body] = types.match(new RegExp(`export class ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}\\n`)) ?? [null, ""]
  const names = [...body.matchAll(/^ {2}(?:static |readonly |get )*(\w+)/gm)].map(([, name]) => name)
  return new Set(names.filter((name) => name !== "constructor"))
}

for (const name of names) {
  test(`the types of ${name} have what it exports, and nothing else`, async () => {
    new Browser()
    const module = await import(new URL(name, folder))
    const types = text(name.replace(".js", ".d.ts"))
    const values = [...types.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
    assert.deepEqual(values.sort(), Object.keys(module).sort())
    const { Follower } = await import(new URL("follow.js", folder))
    const { FollowedList } = await import(new URL("list.js", folder))
    const arguments_ = {
      EditedList: [new FollowedList()], Proposer: [new Follower("a")], Follower: ["a"],
      Places: [{ row: 1 }], Entry: ["a", "a", true],
    }
    for (const [name, type] of Object.entries(module)) {
      if (!/^class /.test(String(type)) || name === "Misfit") continue
      // A list on the screen needs elements.
      const made = name === "LongList" ? { work: null } : new type(...(arguments_[name] ?? []))
      const base = Object.getPrototypeOf(type)
      const inherited = base.prototype ? Object.getOwnPropertyNames(new base()) : []
      assert.deepEqual([...declared(types, name)].sort(), [...members(made, type)].filter((name) => !inherited.includes(name)).sort(), name)
    }
  })
}

test("modules are small on their way: 12 kB to follow and edit, 20 kB with long lists", () => {
  const size = (names) => gzipSync(Buffer.from(names.map(text).join("")), { level: 9 }).length
  const followed = size(["list.js", "follow.js", "edits.js", "propose.js"])
  console.log(`${followed} and ${size(names)} bytes`)
  assert.ok(followed < 12_000, `${followed}`)
  assert.ok(size(names) < 20_000, `${size(names)}`)
})

test("they use what browsers have, and nothing of a build", () => {
  for (const name of names) {
    for (const [, path] of text(name).matchAll(/from "(.*)"/g)) assert.ok(names.includes(path.slice(2)), path)
    assert.doesNotMatch(text(name), /\b(require|process|Buffer|import\.meta)\b|randomUUID/)
  }
})
