function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum; // @bp sum
}

console.log(total([{ price: 1, tags: new Map([['a', 1]]) }]));
setTimeout(() => {
  throw new TypeError('late');
}, 1);
