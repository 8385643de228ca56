// Every kind of scope that an expression can see, each at a line of its own.
const moduleConstant = "module";
let counter = 0;
globalThis.shared = "global";

class Account {
  #balance = 10;
  static #made = 1;
  owner = "Ada";
  deposit(amount) {
    const before = this.#balance;
    this.#balance += amount; // @bp method
    return before;
  }
  static {
    const inBlock = Account.#made;
    this.note = inBlock; // @bp static block
  }
}
new Account().deposit(5);

function outer(captured) {
  const unused = "nobody inside uses this";
  return function inner(...rest) {
    const local = captured + rest.length;
    for (let i = 0; i < 2; i++) {
      const inBlock = i * 10;
      counter += inBlock; // @bp block
    }
    return local + unused.length * 0; // @bp closure
  };
}
outer(1)("a", "b");

function sum() {
  return arguments.length; // @bp arguments
}
sum(1, 2, 3);

async function later(ms) {
  const waited = await Promise.resolve(ms);
  return waited; // @bp async
}
await later(7);

function* numbers(limit) {
  for (let n = 0; n < limit; n++) {
    yield n; // @bp generator
  }
}
[...numbers(3)];

try {
  throw new RangeError("caught");
} catch (problem) {
  console.log(problem.message); // @bp catch
}

[1, 2].forEach((item) => {
  console.log(item, moduleConstant); // @bp arrow
});

const shadowed = "outside";
{
  const shadowed = "inside";
  console.log(shadowed); // @bp shadow
}
console.log(shadowed, counter); // @bp end
