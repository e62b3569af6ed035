/** Data for a run of the suite. Parallel runs have different numbers and area codes. */
export interface Scene {
  baseUrl: string;
  organisationId: string;
  ownerToken: string;
  memberToken: string;
  severalToken: string;
  key: string;
  numbersHeld: number;
  /** Numbers that no other run changes. */
  numberIds: string[];
  /** Area code of fictional numbers that no other run orders. */
  areaCode: string;
}
