/** Limits of an account, and behaviour that is not documented. */
export interface DidwwPlan {
  /** How long a reservation lasts (default: 10 min). */
  holdMs: number;
  /** How many numbers may be reserved at once (default: 10). */
  mostHeld: number;
  /** How often an order is read before it is decided. */
  pendingReads: number;
  /** Whether a cancelled number is removed and on sale at once. DIDWW does so after some weeks. */
  isRemovedAtOnce: boolean;
  /** How many available numbers a list has. DIDWW documents a limit without its value. */
  mostListed: number;
  /** Whether the numbers that the account has reserved are still on sale to it. Not documented. */
  listsHeld: boolean;
}
