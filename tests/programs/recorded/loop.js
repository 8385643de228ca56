function sum(items) {
  let total = 0;
  for (const item of items) {
    total += item.price; // @bp body
  }
  return total;
}

function neverCalled() {
  return 'unreached'; // @bp unreached
}

console.log(sum([{ price: 1 }, { price: 2 }, { price: 3 }]), typeof neverCalled);
// Nothing but this comment follows. @bp end
