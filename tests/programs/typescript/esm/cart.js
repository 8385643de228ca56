export function total(items) {
    let sum = 0;
    for (const item of items) {
        sum += item.price * item.qty; // @bp body
    }
    return sum;
}
//# sourceMappingURL=cart.js.map