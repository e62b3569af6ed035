import { randomUUID } from "node:crypto";
import type {
  Address,
  Country,
  Did,
  EncryptedFile,
  GroupType,
  Identity,
  PartyRequirement,
  PermanentDocument,
  Proof,
  ProofType,
  Referred,
  Requirement,
  RequirementOptions,
  Template,
  Verification,
} from "./didww-records.ts";
import { DidwwError, invalid } from "./didww-errors.ts";
import { decryptFile, FINGERPRINT } from "./didww-keys.ts";

const NO_NEEDS: PartyRequirement = {
  level: "world_wide",
  fields: [],
  proofTypes: [],
  proofs: 0,
  permanent: null,
  onetime: null,
};
export const USUAL_REQUIREMENT: RequirementOptions = {
  identityType: "any",
  addressLevel: "country",
  addressProofTypes: [],
  addressProofs: 0,
  needsServiceDescription: false,
  text: "An end user with an address in the country is required.",
  personal: { ...NO_NEEDS, proofTypes: ["Passport", "Drivers License"], proofs: 1 },
  business: { ...NO_NEEDS, fields: ["company_reg_number"], proofTypes: ["Trade License"], proofs: 1 },
};

const DAY_MS = 86_400_000;

/** The regulation resources of one DIDWW account. */
export class DidwwRegulation {
  readonly requirements: Requirement[] = [];
  readonly proofTypes: ProofType[] = [];
  readonly templates: Template[] = [];
  readonly identities: Identity[] = [];
  readonly addresses: Address[] = [];
  readonly proofs: Proof[] = [];
  readonly documents: PermanentDocument[] = [];
  readonly verifications: Verification[] = [];
  readonly #files: EncryptedFile[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Files that are not used yet. They expire after a day. */
  get files(): EncryptedFile[] {
    return this.#files.filter(({ until }) => until > this.#now());
  }

  require(options: RequirementOptions, of: { country: Country; type: GroupType }): Requirement {
    const { personal, business, addressProofTypes, ...others } = options;
    const requirement: Requirement = {
      id: randomUUID(),
      ...of,
      ...others,
      personal: this.#needs(personal, "Personal"),
      business: this.#needs(business, "Business"),
      addressProofTypes: this.#types(addressProofTypes, "Address"),
    };
    this.requirements.push(requirement);
    return requirement;
  }

  upload(fingerprint: string, content: Buffer, description: string | null): EncryptedFile {
    if (fingerprint !== FINGERPRINT) throw invalid("/data", "encryption_fingerprint", "is outdated");
    const opened = decryptFile(content);
    if (!opened) throw invalid("/data", "file");
    const until = new Date(this.#now().getTime() + DAY_MS);
    const file = { id: randomUUID(), description, content: opened, until };
    this.#files.push(file);
    return file;
  }

  /** A file belongs to one resource. */
  takeFiles(ids: readonly string[], pointer: string): EncryptedFile[] {
    return ids.map((id) => {
      const at = this.#files.findIndex((file) => file.id === id && file.until > this.#now());
      if (at === -1) throw invalid(pointer, "files");
      return this.#files.splice(at, 1)[0]!;
    });
  }

  add<Added extends Referred>(list: Added[], given: Omit<Added, "id" | "at">): Added {
    const added = { id: randomUUID(), at: this.#now(), ...given } as Added;
    list.push(added);
    return added;
  }

  /** Missing evidence for a requirement, in the words of the carrier. */
  problemsOf(
    requirement: Requirement,
    identity: Identity | undefined,
    address: Address | undefined,
  ): string[] {
    const problems: string[] = [];
    if (identity) problems.push(...this.#problemsOfIdentity(requirement, identity));
    if (!address) return problems;
    if (requirement.addressLevel !== "world_wide" && address.country !== requirement.country)
      problems.push(`Address in ${requirement.country.iso} required`);
    if (countOf(address.proofs, requirement.addressProofTypes) < requirement.addressProofs)
      problems.push("Address proof required");
    return problems;
  }

  verify(
    given: Pick<Verification, "address" | "dids" | "files" | "serviceDescription" | "externalReference">,
  ): Verification {
    const requirement = given.dids[0]!.group.requirement;
    if (!requirement || given.dids.some(({ group }) => group.requirement !== requirement))
      throw invalid("/data/relationships/dids", "dids");
    if (given.dids.some((did) => did.isTerminated || !did.isAwaitingRegistration || this.#isReviewed(did)))
      throw invalid("/data/relationships/dids", "dids", "do not need a verification");
    const { identity } = given.address;
    const problems = this.problemsOf(requirement, identity, given.address);
    if (requirement[identity.party].onetime && given.files.length === 0)
      problems.push("One-time supporting document required");
    if (requirement.needsServiceDescription && !given.serviceDescription)
      problems.push("Service description required");
    if (problems.length > 0) throw problemsError(problems);
    return this.add(this.verifications, {
      ...given,
      reference: `SHB-${100_000 + this.verifications.length}`,
      status: "pending",
      reasons: null,
    });
  }

  /** Reviews everything: evidence that calls itself rejected is rejected. */
  review(): void {
    for (const verification of this.verifications.filter(({ status }) => status === "pending")) {
      const { address, dids } = verification;
      const isBad =
        this.#filesOf(verification).some(({ description }) => description?.startsWith("rejected") === true) ||
        [address.fields["city_name"], address.identity.fields["last_name"]].includes("Rejected");
      verification.status = isBad ? "rejected" : "approved";
      if (isBad) verification.reasons = ["The evidence says that it is rejected."];
      else for (const did of dids) did.isAwaitingRegistration = false;
      if (!isBad) address.isVerified = address.identity.isVerified = true;
    }
  }

  #isReviewed(did: Did): boolean {
    return this.verifications.some(({ status, dids }) => status === "pending" && dids.includes(did));
  }

  #filesOf({ address, files }: Verification): EncryptedFile[] {
    const { proofs, documents } = address.identity;
    return [...files, ...[...proofs, ...documents, ...address.proofs].flatMap((one) => one.files)];
  }

  #problemsOfIdentity(requirement: Requirement, identity: Identity): string[] {
    const { party, fields, country, birthCountry } = identity;
    const needed = requirement[party];
    const given = {
      ...fields,
      ...(country && { country: country.iso }),
      ...(birthCountry && { birth_country: "" }),
    };
    const problems = needed.fields
      .filter((name) => !(name in given))
      .map((name) => `Identity ${name} required`);
    if (requirement.identityType !== "any" && requirement.identityType !== party)
      problems.push(`Identity must be ${requirement.identityType}`);
    if (needed.level === "country" && country !== requirement.country)
      problems.push(`Identity in ${requirement.country.iso} required`);
    if (countOf(identity.proofs, needed.proofTypes) < needed.proofs) problems.push("Identity proof required");
    const { permanent } = needed;
    if (permanent && !identity.documents.some(({ template }) => template === permanent))
      problems.push(`Following Supporting Document(s) required (${permanent.name})`);
    return problems;
  }

  #needs(
    { proofTypes, permanent, onetime, ...others }: PartyRequirement,
    entityType: ProofType["entityType"],
  ): PartyRequirement<ProofType, Template> {
    return {
      ...others,
      proofTypes: this.#types(proofTypes, entityType),
      permanent: permanent === null ? null : this.#form(permanent, true),
      onetime: onetime === null ? null : this.#form(onetime, false),
    };
  }

  #types(names: readonly string[], entityType: ProofType["entityType"]): ProofType[] {
    return names.map((name) => {
      const type = { id: randomUUID(), name, entityType };
      this.proofTypes.push(type);
      return type;
    });
  }

  #form(name: string, permanent: boolean): Template {
    const template = { id: randomUUID(), name, permanent };
    this.templates.push(template);
    return template;
  }
}

function countOf(proofs: readonly Proof[], types: readonly ProofType[]): number {
  return proofs.filter(({ type }) => types.includes(type)).length;
}

export function problemsError(problems: readonly string[]): DidwwError {
  return new DidwwError(422, "100", problems.join("; "), { pointer: "/data" });
}
