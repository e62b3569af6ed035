import fastJsonStringify from "fast-json-stringify";

type Serializer = (body: unknown) => string;

/** One for each schema, however many servers this process starts. */
const serializers = new WeakMap<object, Serializer>();

/** Builds a serializer for the first response that needs it: building all of them at the start costs half a second of CPU. */
export function serializerCompiler({ schema }: { schema: object }): Serializer {
  return (body) => serializerOf(schema)(body);
}

function serializerOf(schema: object): Serializer {
  let serializer = serializers.get(schema);
  if (!serializer) {
    serializer = fastJsonStringify(schema);
    serializers.set(schema, serializer);
  }
  return serializer;
}
