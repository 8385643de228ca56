const started: string = "yes"; // @bp first
import { total } from "./cart.js";

type Names = string[]; // @bp type

const names: Names = ["a", started]; // @bp names
console.log(total([{ price: 2, qty: 3 }, { price: 4, qty: 1 }]), names);
