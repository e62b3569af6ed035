/**
 * A tag names the organisation that a credential or a link belongs to. It is a hint and no secret: nothing is allowed or
 * rejected because of it.
 */
export const TAG_LENGTH = 4;

/** Of what belongs to no organisation. No organisation has it. */
export const NO_TAG = "0000";
