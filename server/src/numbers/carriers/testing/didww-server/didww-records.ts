/** Resources of an account, as the imitation keeps them. */
export interface Resource {
  id: string;
}
export interface Country extends Resource {
  iso: string;
}
export interface GroupType extends Resource {
  name: string;
}
export interface Unit extends Resource {
  monthlyPrice: string;
  channels: number;
}
export interface Group extends Resource {
  country: Country;
  type: GroupType;
  units: Unit[];
  needsRegistration: boolean;
  requirement: Requirement | null;
  /** The requirement before its names became resources. */
  options: RequirementOptions | null | undefined;
  isSelectable: boolean;
}
export interface Available extends Resource {
  number: string;
  group: Group;
}
export interface Hold extends Resource {
  available: Available;
  description: string | null;
  at: Date;
  until: Date;
}
export interface Order extends Resource {
  reference: string;
  externalReference: string | null;
  status: "pending" | "completed" | "canceled";
  at: Date;
  /** How often it still says that it is pending. */
  pendingReads: number;
  bought: Available[];
  units: Unit[];
}
export interface Did extends Resource {
  number: string;
  group: Group;
  order: Order;
  isTerminated: boolean;
  isAwaitingRegistration: boolean;
  /** It cannot be cancelled. */
  isLocked: boolean;
  trunk: Trunk | null;
  /** A group of trunks, instead of a trunk. */
  trunkGroup: Resource | null;
  at: Date;
}
export interface Trunk extends Resource {
  name: string;
  configuration: "sip_configurations" | "pstn_configurations";
  at: Date;
}
export interface HistoryEntry extends Resource {
  number: string;
  action: "assigned" | "canceled" | "removed";
  at: Date;
}

export type Party = "personal" | "business";

export interface ProofType extends Resource {
  name: string;
  entityType: "Personal" | "Business" | "Address";
}
export interface Template extends Resource {
  name: string;
  permanent: boolean;
}

/** Needs of a person or a company. Proof types and forms are resources, or their names. */
export interface PartyRequirement<Type = string, Form = string> {
  level: "world_wide" | "country";
  fields: string[];
  proofTypes: Type[];
  proofs: number;
  permanent: Form | null;
  onetime: Form | null;
}

export interface RequirementOptions<Type = string, Form = string> {
  identityType: "any" | Party;
  addressLevel: "world_wide" | "country" | "area" | "city";
  addressProofTypes: Type[];
  addressProofs: number;
  needsServiceDescription: boolean;
  text: string;
  personal: PartyRequirement<Type, Form>;
  business: PartyRequirement<Type, Form>;
}

export interface Requirement extends Resource, RequirementOptions<ProofType, Template> {
  country: Country;
  type: GroupType;
}

export interface Referred extends Resource {
  externalReference: string | null;
  at: Date;
}
export interface Identity extends Referred {
  party: Party;
  fields: Record<string, string>;
  country: Country | null;
  birthCountry: Country | null;
  isVerified: boolean;
  proofs: Proof[];
  documents: PermanentDocument[];
}
export interface Address extends Referred {
  fields: Record<string, string>;
  identity: Identity;
  country: Country;
  isVerified: boolean;
  proofs: Proof[];
}
export interface EncryptedFile extends Resource {
  description: string | null;
  content: Buffer;
  until: Date;
}
export interface Proof extends Referred {
  type: ProofType;
  files: EncryptedFile[];
}
export interface PermanentDocument extends Referred {
  template: Template;
  files: EncryptedFile[];
}
export interface Verification extends Referred {
  reference: string;
  status: "pending" | "approved" | "rejected";
  reasons: string[] | null;
  serviceDescription: string | null;
  address: Address;
  dids: Did[];
  files: EncryptedFile[];
}
