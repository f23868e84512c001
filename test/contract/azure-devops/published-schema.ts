import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The parts of an OpenAPI 2.0 schema that request bodies are checked by. */
interface Schema {
  readonly $ref?: string | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    allOf: z.array(Schema).optional(),
    type: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
  }),
);

const Specification = z.object({ definitions: z.record(z.string(), Schema) });

/** Directory of the published specifications; `AZURE_DEVOPS_SPECS` names another. They are not part of the project. */
const DIRECTORY =
  process.env['AZURE_DEVOPS_SPECS'] ?? fileURLToPath(new URL('../../../../shared/specs', import.meta.url));

/** Says what is wrong with a body by the name of its definition. */
export type CheckBody = (definition: string, body: unknown) => string[];

/** Undefined where the specification is not at hand. Unlike its schemas it takes no property that they do not name. */
export function loadPublishedSchema(file: string): CheckBody | undefined {
  const path = `${DIRECTORY}/${file}`;
  if (!existsSync(path)) return undefined;
  const { definitions } = Specification.parse(JSON.parse(readFileSync(path, 'utf8')));
  return (definition, body) => check(definitions, { $ref: `#/definitions/${definition}` }, body, definition);
}

type Definitions = Readonly<Record<string, Schema>>;

/** A schema with what it refers to and inherits. */
function resolve(definitions: Definitions, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/definitions/', '');
  const own = name === undefined ? schema : (definitions[name] ?? {});
  const inherited = (own.allOf ?? []).map((parent) => resolve(definitions, parent));
  return inherited.reduce<Schema>(
    (merged, parent) => ({
      ...parent,
      ...merged,
      properties: { ...parent.properties, ...merged.properties },
    }),
    own,
  );
}

function check(definitions: Definitions, given: Schema, value: unknown, path: string): string[] {
  const schema = resolve(definitions, given);
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${path} is none of its values`];
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    if (schema.type !== 'array') return [`${path} is a list`];
    return value.flatMap((item, index) => check(definitions, items, item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return checkScalar(schema, value, path);
  // A bag of free properties; the specification names only members of its class.
  if (path.endsWith('.properties')) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const property = schema.properties?.[key];
    return property === undefined
      ? [`${path}.${key} is unknown`]
      : check(definitions, property, inner, `${path}.${key}`);
  });
}

function checkScalar(schema: Schema, value: unknown, path: string): string[] {
  const isRight =
    schema.type === undefined ||
    (schema.type === 'integer' ? Number.isInteger(value) : schema.type === typeof value);
  return isRight ? [] : [`${path} is no ${schema.type ?? ''}`];
}
