/** Whom and what a run of the suite may use; runs side by side differ in numbers and area code. */
export interface Scene {
  baseUrl: string;
  organisationId: string;
  ownerToken: string;
  memberToken: string;
  severalToken: string;
  key: string;
  numbersHeld: number;
  /** Nobody else changes these. */
  numberIds: string[];
  /** Of fictional numbers nobody else orders. */
  areaCode: string;
}
