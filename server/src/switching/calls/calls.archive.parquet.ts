import { createHash, type Hash } from "node:crypto";
import type { DecodedArray, SchemaElement } from "hyparquet";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet/src/node.js";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { type CallRow, type Column, COLUMNS, type DaySums, type Kind } from "./calls.archive.store.ts";

/** Sums of a file, and a digest of all of its values. */
export interface FileContent extends DaySums {
  digest: string;
}

const NAMES = Object.keys(COLUMNS) as Column[];

const TYPES: Record<Kind, Omit<SchemaElement, "name">> = {
  uuid: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  timestamp: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } },
  int32: { type: "INT32" },
  int64: { type: "INT64" },
  boolean: { type: "BOOLEAN" },
};

const SCHEMA: SchemaElement[] = [
  { name: "calls", num_children: NAMES.length },
  ...NAMES.map((name): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...TYPES[COLUMNS[name]] })),
];

/** Each page becomes a row group, so that memory holds one page. */
export async function writeCalls(file: string, pages: AsyncIterable<CallRow[]>): Promise<FileContent> {
  const writer = new ParquetWriter({ writer: fileWriter(file), schema: SCHEMA });
  const content = startContent();
  for await (const rows of pages) {
    const columnData = NAMES.map((name) => ({ name, data: rows.map((row) => storedValue(row, name)) }));
    addContent(content, rows.length, (index, name) => columnData[NAMES.indexOf(name)]!.data[index]);
    await writer.write({ columnData, rowGroupSize: rows.length });
  }
  await writer.finish();
  return endContent(content);
}

/** Reads every value of a file, one row group at a time. */
export async function readCalls(file: string): Promise<FileContent> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const parsers = { timestampFromMicroseconds: (micros: bigint) => micros as unknown as Date };
  const content = startContent();
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd, parsers });
    addContent(content, rows.length, (index, name) => rows[index]![name]);
    rowStart = rowEnd;
  }
  return endContent(content);
}

function storedValue(row: CallRow, name: Column): DecodedArray[number] {
  const value = row[name];
  const kind = COLUMNS[name];
  return value !== null && (kind === "int64" || kind === "timestamp") ? BigInt(value) : value;
}

type Value = string | number | bigint | boolean | null | undefined;

interface OpenContent extends DaySums {
  hash: Hash;
}

function startContent(): OpenContent {
  return { rows: 0, talk_seconds: 0, hash: createHash("sha256") };
}

function addContent(
  content: OpenContent,
  rows: number,
  valueAt: (index: number, name: Column) => Value,
): void {
  const lines: string[] = [];
  for (let index = 0; index < rows; index++) {
    // Separators keep neighbouring values apart. null and undefined are the same.
    lines.push(NAMES.map((name) => valueAt(index, name) ?? "\u0000").join("\u001f"));
    content.talk_seconds += Number(valueAt(index, "talk_seconds"));
  }
  content.rows += rows;
  content.hash.update(`${lines.join("\n")}\n`);
}

function endContent({ rows, talk_seconds, hash }: OpenContent): FileContent {
  return { rows, talk_seconds, digest: hash.digest("hex") };
}
