interface Item {
  price: number;
  qty: number;
}

export function total(items: Item[]): number {
  let sum: number = 0;
  for (const item of items) {
    sum += item.price * item.qty; // @bp body
  }
  return sum;
}
