/**
 * A tag names the organisation that a credential or a link belongs to. It is a hint, not a secret: no request is accepted or
 * rejected because of it.
 */
export const TAG_LENGTH = 4;

/** For what belongs to no organisation. */
export const NO_TAG = "0000";
