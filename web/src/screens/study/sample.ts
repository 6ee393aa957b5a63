/** A hand that has a little of everything: a point, odds, a come bet that travels, a hardway, a point made, a bet that is off, a seven out. */
export { default as SAMPLE } from "../../../data/hand.cgn?raw";
