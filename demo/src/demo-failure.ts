/** An expected failure: its message is one line that says what is wrong and what to do. */
export class DemoFailure extends Error {}
