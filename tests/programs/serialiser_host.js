// Serialises values for tests/integration/test_serialiser.py: one JSON request a line, one JSON answer a line.
//
//   {"code": "...", "limits": {...}, "call": "value" | "thrown", "bare": true, "json": true,
//    "module": source text, "module_url": "file://..."}
//
// `code` is the body of a function that returns the value. It sees `hit(name)`, which a booby trap calls when it
// goes off; `after(undo)`, which registers what puts a patched built-in back; `node`: some modules, the namespace of
// the request's module, the serialiser's own `value` and the making of a new one.
// The answer: {"text": the JSON text, "hits": [names], "json": JSON.stringify of the value if it can be had}
"use strict";

const fs = require("node:fs");
const readline = require("node:readline");
const util = require("node:util");
const vm = require("node:vm");
const workers = require("node:worker_threads");
const { internalBinding } = require("internal/test/binding"); // node runs with --expose-internals

const factory = vm.runInThisContext(fs.readFileSync(process.argv[2], "utf8"));
const { getPromiseDetails, getProxyDetails } = internalBinding("util");
const created = new Map();

// "bare": as in a runtime without node's util and internals.
function serialiserFor(limits, bare) {
  const key = JSON.stringify([limits, bare]);
  if (!created.has(key)) {
    created.set(key, bare ? factory(null, limits) : factory(util, limits, { getPromiseDetails, getProxyDetails }));
  }
  return created.get(key);
}

// Promises that tests reject on purpose must not end the host.
process.on("unhandledRejection", () => {});

function serialise(request) {
  const serialiser = serialiserFor(request.limits || {}, request.bare === true);
  const { value, thrown } = serialiser;
  let hits = ""; // text, since even the indices of an array may be trapped
  const undo = [];
  const globalsBefore = Reflect.ownKeys(globalThis).length;
  const hit = (name) => {
    hits += name + "\n";
  };
  const create = () => factory(util, {}, { getPromiseDetails, getProxyDetails });
  const node = { util, vm, workers, module: request.module, value, create };
  const subject = new Function("hit", "after", "node", request.code)(hit, (f) => (undo[undo.length] = f), node);
  hits = ""; // making the value may touch its traps; serialising it may not
  let text;
  let failure;
  try {
    text = request.call === "thrown" ? thrown(subject) : value(subject);
  } catch (error) {
    failure = true;
  }
  const seen = hits;
  for (let i = undo.length - 1; i >= 0; i--) undo[i]();
  const answer = { text, hits: seen.split("\n").slice(0, -1), globals: Reflect.ownKeys(globalThis).length - globalsBefore };
  if (failure) answer.failure = "the serialiser threw";
  if (request.json) answer.json = JSON.stringify(subject);
  return answer;
}

// A module that runs can serialise its own, still unfinished, namespace.
async function importWithSerialiser(url) {
  globalThis.serialise = serialiserFor({}, false).value;
  const namespace = await import(url);
  delete globalThis.serialise;
  return namespace;
}

async function answer(line) {
  const request = JSON.parse(line);
  try {
    if (request.module) request.module = await import("data:text/javascript," + encodeURIComponent(request.module));
    if (request.module_url) request.module = await importWithSerialiser(request.module_url);
    return serialise(request);
  } catch (error) {
    return { failure: String(error && error.stack) };
  }
}

let queue = Promise.resolve();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  queue = queue.then(async () => process.stdout.write(JSON.stringify(await answer(line)) + "\n"));
});
