import type { CreateAddress, CreateDocument } from "@dialplane/sdk";

/** Address as it is typed. */
export interface AddressValues {
  name: string;
  street: string;
  city: string;
  postal_code: string;
  region: string;
  country: string;
}

export interface DocumentValues {
  kind: string;
  file: FileList | null;
}

export const NO_ADDRESS: AddressValues = {
  name: "",
  street: "",
  city: "",
  postal_code: "",
  region: "",
  country: "",
};

export const MOST_BYTES = 5 * 1024 * 1024;
export const FILE_TYPES = "application/pdf,image/png,image/jpeg";

export function addressOf({
  name,
  street,
  city,
  postal_code,
  region,
  country,
}: AddressValues): CreateAddress {
  const state = region.trim();
  return {
    name: name.trim(),
    street: street.trim(),
    city: city.trim(),
    postal_code: postal_code.trim(),
    country,
    ...(state !== "" && { region: state }),
  };
}

export async function documentOf({ kind, file }: DocumentValues): Promise<CreateDocument> {
  const chosen = file![0]!;
  return { kind, file_name: chosen.name, content: await base64Of(chosen) };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
    reader.readAsDataURL(file);
  });
}
