import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { rowsOf } from "../components/paging.ts";
import { saveFile } from "../components/save-file.ts";
import { Section } from "../components/Section.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { settingsText } from "../settings/settings-text.ts";
import { AddressDialog } from "./AddressDialog.tsx";
import { DeleteEvidenceDialog, type Deleting } from "./DeleteEvidenceDialog.tsx";
import { DocumentDialog } from "./DocumentDialog.tsx";
import { EvidenceRow } from "./EvidenceRow.tsx";
import { addressesQuery, documentsQuery } from "./evidence-queries.ts";
import { evidenceText, kindWord } from "./evidence-text.ts";

type Opened = "address" | "document" | Deleting;

/** Addresses and documents that carriers require. */
export function EvidencePage() {
  useTitle(evidenceText.title);
  const place = useOpenPlace();
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  return (
    <Page
      title={evidenceText.title}
      says={evidenceText.about}
      asCode={() => [
        { operation: "listAddresses" },
        { operation: "listDocuments" },
        { operation: "downloadDocument", path: { id: "DOCUMENT_ID" } },
      ]}
      back={{ label: settingsText.title, to: "/o/$organisation/$environment/settings" }}
    >
      <Addresses place={place} onOpen={setOpened} />
      <Documents place={place} onOpen={setOpened} />
      {opened === "address" && <AddressDialog place={place} onClose={close} />}
      {opened === "document" && <DocumentDialog place={place} onClose={close} />}
      {typeof opened === "object" && <DeleteEvidenceDialog place={place} deleting={opened} onClose={close} />}
    </Page>
  );
}

interface ListProps {
  place: OpenPlace;
  onOpen(opened: Opened): void;
}

function Addresses({ place, onOpen }: ListProps) {
  const list = useInfiniteQuery(addressesQuery(place));
  const addresses = rowsOf(list.data);
  return (
    <Section
      title={evidenceText.addresses}
      aside={<Button onClick={() => onOpen("address")}>{evidenceText.addAddress}</Button>}
    >
      {list.data && addresses.length === 0 && (
        <None title={evidenceText.noAddresses}>{evidenceText.noAddressesHint}</None>
      )}
      {addresses.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {addresses.map(({ id, name, street, postal_code, city, country }) => (
            <EvidenceRow
              key={id}
              title={name}
              details={`${street}, ${postal_code} ${city}, ${country}`}
              onDelete={() => onOpen({ what: "address", id, name })}
            />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </Section>
  );
}

function Documents({ place, onOpen }: ListProps) {
  const list = useInfiniteQuery(documentsQuery(place));
  const documents = rowsOf(list.data);
  return (
    <Section
      title={evidenceText.documents}
      aside={<Button onClick={() => onOpen("document")}>{evidenceText.addDocument}</Button>}
    >
      {list.data && documents.length === 0 && (
        <None title={evidenceText.noDocuments}>{evidenceText.noDocumentsHint}</None>
      )}
      {documents.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {documents.map(({ id, file_name, kind, size }) => (
            <EvidenceRow
              key={id}
              title={file_name}
              details={`${kindWord(kind)}, ${evidenceText.size(size)}`}
              onDownload={() => void download(place, id)}
              onDelete={() => onOpen({ what: "document", id, name: file_name })}
            />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </Section>
  );
}

function None({ title, children }: { title: string; children: string }) {
  return (
    <p className="rounded-lg border border-line bg-surface p-4 text-sm">
      <span className="font-medium">{title}.</span> {children}
    </p>
  );
}

async function download({ client }: OpenPlace, id: string): Promise<void> {
  const { file_name, media_type, content } = await withSession(() => client.documents.download(id));
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  await saveFile(file_name, new Blob([bytes], { type: media_type }).stream(), media_type);
}
