'use strict';

// A shop's receipt. Something is wrong with it: the lines add up to 78.00, and the total says 58.50.

const COUPON = { code: 'WELCOME25', percent: 25 };

const cart = [
  { name: 'Kettle', price: 40, quantity: 1 },
  { name: 'Cup', price: 8, quantity: 4 },
  { name: 'Green tea', price: 16, quantity: 2 },
];

function applyCoupon(item, coupon) {
  item.price -= (item.price * coupon.percent) / 100;
  return item;
}

function printLines(items) {
  for (const item of items) {
    const { name, price, quantity } = applyCoupon(item, COUPON);
    console.log(`${quantity} x ${name}`.padEnd(16), (price * quantity).toFixed(2));
  }
}

function totalOf(items) {
  let total = 0;
  for (const item of items) {
    const { name, price, quantity } = applyCoupon(item, COUPON);
    total += price * quantity;
  }
  return total;
}

printLines(cart);
console.log('Total'.padEnd(16), totalOf(cart).toFixed(2));
