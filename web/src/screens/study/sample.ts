/** A sample hand with a point, odds, a come bet that moves, a hardway, a point made, a bet that is off, and a seven-out. */
export { default as SAMPLE } from "../../../data/hand.cgn?raw";
