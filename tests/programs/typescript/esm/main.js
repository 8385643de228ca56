const started = "yes"; // @bp first
import { total } from "./cart.js";
const names = ["a", started]; // @bp names
console.log(total([{ price: 2, qty: 3 }, { price: 4, qty: 1 }]), names);
//# sourceMappingURL=main.js.map