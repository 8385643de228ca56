// One value a hit, in the order of these names.
class Point {
  #secret = 1;
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  get length() {
    process.exitCode = 1; // a debugger must not run this
    return Math.hypot(this.x, this.y);
  }
}
class HttpError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}
const circle = { name: "circle" };
circle.self = circle;
circle.list = [circle, { deeper: circle.list }];
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const rejected = Promise.reject(new Error("no"));
rejected.catch(() => {});
const trap = () => {
  process.exitCode = 1; // a debugger must not run this
  throw new Error("trapped");
};

const values = {
  undefined: undefined,
  null: null,
  true: true,
  string: 'a "b"\n\u2028é😀',
  number: -0.5,
  function: function add(a, b) { return a + b },
  arrow: (a) => a * 2,
  async: async () => {},
  class: Point,
  symbol: Symbol("token"),
  bigint: 2n ** 70n,
  NaN: NaN,
  Infinity: Infinity,
  "-Infinity": -Infinity,
  "-0": -0,
  Date: new Date(0),
  "invalid Date": new Date(NaN),
  RegExp: /a\/b+/gi,
  Map: new Map([["k", new Map([[{ a: 1 }, 2]])]]),
  Set: new Set([1, "a", new Set()]),
  WeakMap: new WeakMap(),
  Error: Object.assign(new TypeError("boom"), { stack: "TypeError: boom\n    at x" }),
  "Error with a cause": Object.assign(new Error("outer", { cause: "inner" }), { stack: "s" }),
  "Error subclass": Object.assign(new HttpError("gone", 410), { stack: "s" }),
  instance: new Point(3, 4),
  Uint8Array: new Uint8Array([1, 255]),
  Float64Array: new Float64Array([0.5, NaN, -0]),
  BigInt64Array: new BigInt64Array([-1n]),
  Buffer: Buffer.from("hi"),
  ArrayBuffer: new ArrayBuffer(2),
  "pending promise": new Promise(() => {}),
  "fulfilled promise": Promise.resolve(1),
  "rejected promise": rejected,
  proxy: new Proxy({ a: 1 }, { get: trap, ownKeys: trap, getPrototypeOf: trap }),
  "revoked proxy": revoked.proxy,
  circular: circle,
  "throwing getter": { a: 1, get b() { return trap() } },
  "getter and setter": { get c() { return trap() }, set c(v) {} },
  "null prototype": Object.create(null, { a: { value: 1, enumerable: true } }),
  "boxed number": Object(1),
  generator: (function* () {})(),
  arguments: (function () { return arguments })(1, [2]),
  holes: [1, , 3],
  "lone surrogate": "a\ud800b",
  nested: [undefined, NaN, 10n, Symbol("s"), () => {}, new Date(0), /x/, new Map([[1, 2]]), new Set([3])],
};
for (const name of Object.keys(values)) {
  const value = values[name];
  void value; // @bp hit
}
