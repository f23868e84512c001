import { HostRefusal } from './host-refusal.ts';

/** One inline constraint of a route parameter, `int` or `length(1,5)`. */
export interface RouteConstraint {
  readonly text: string;
  accepts(value: string): boolean;
  /** Values that the constraint accepts; used to find a path that two templates share. */
  readonly samples: readonly string[];
}

const GUID =
  /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}|\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\))$/i;
const INTEGER = /^[+-]?\d+$/;
const INT_MAX = 2n ** 31n - 1n;
const LONG_MAX = 2n ** 63n - 1n;

/** .NET's integer parsing: optional sign, surrounding white space, a range. */
function parseInteger(value: string, max: bigint): bigint | undefined {
  const text = value.trim();
  if (!INTEGER.test(text)) return undefined;
  const number = BigInt(text.replace('+', ''));
  return number <= max && number >= -max - 1n ? number : undefined;
}

function longWithin(low: bigint | undefined, high: bigint | undefined): (value: string) => boolean {
  return (value) => {
    const number = parseInteger(value, LONG_MAX);
    return (
      number !== undefined && (low === undefined || number >= low) && (high === undefined || number <= high)
    );
  };
}

function lengthWithin(low: bigint, high: bigint): (value: string) => boolean {
  return (value) => value.length >= low && value.length <= high;
}

type Builder = {
  /** How many integer arguments the constraint takes. */
  readonly arity: readonly number[];
  readonly lengths?: true;
  build(args: readonly bigint[]): { accepts: (value: string) => boolean; samples: readonly string[] };
};

function filled(length: bigint | undefined): string[] {
  const count = Math.max(1, Number(length ?? 1n));
  return count > 4_096 ? [] : ['a'.repeat(count), '1'.repeat(count)];
}

/** https://learn.microsoft.com/aspnet/core/fundamentals/routing#route-constraints, without regex, dates and floats. */
const BUILDERS: Readonly<Record<string, Builder>> = {
  int: {
    arity: [0],
    build: () => ({ accepts: (v) => parseInteger(v, INT_MAX) !== undefined, samples: ['1'] }),
  },
  long: {
    arity: [0],
    build: () => ({ accepts: (v) => parseInteger(v, LONG_MAX) !== undefined, samples: ['1'] }),
  },
  alpha: { arity: [0], build: () => ({ accepts: (v) => /^[a-z]*$/i.test(v), samples: ['a'] }) },
  bool: {
    arity: [0],
    build: () => ({ accepts: (v) => /^(?:true|false)$/i.test(v.trim()), samples: ['true'] }),
  },
  guid: {
    arity: [0],
    build: () => ({ accepts: (v) => GUID.test(v.trim()), samples: ['00000000-0000-0000-0000-000000000000'] }),
  },
  length: {
    arity: [1, 2],
    lengths: true,
    build: ([low = 0n, high = low]) => ({ accepts: lengthWithin(low, high), samples: filled(low) }),
  },
  minlength: {
    arity: [1],
    lengths: true,
    build: ([low = 0n]) => ({ accepts: lengthWithin(low, LONG_MAX), samples: filled(low) }),
  },
  maxlength: {
    arity: [1],
    lengths: true,
    build: ([high = 0n]) => ({ accepts: lengthWithin(0n, high), samples: filled(1n) }),
  },
  min: { arity: [1], build: ([low = 0n]) => ({ accepts: longWithin(low, undefined), samples: [`${low}`] }) },
  max: {
    arity: [1],
    build: ([high = 0n]) => ({ accepts: longWithin(undefined, high), samples: [`${high}`] }),
  },
  range: {
    arity: [2],
    build: ([low = 0n, high = 0n]) => ({ accepts: longWithin(low, high), samples: [`${low}`, `${high}`] }),
  },
};

/**
 * Reads one constraint such as `int`, `length(3)` or `range(1,9)`; names are case-insensitive as in ASP.NET.
 * @throws HostRefusal for a constraint or arguments that are not known.
 */
export function parseRouteConstraint(text: string): RouteConstraint {
  const match = /^([a-z]+)(?:\(([^()]*)\))?$/i.exec(text);
  const name = match?.[1]?.toLowerCase() ?? '';
  const builder = Object.hasOwn(BUILDERS, name) ? BUILDERS[name] : undefined;
  if (builder === undefined) {
    throw new HostRefusal(
      `constraint "${text}" is not implemented by the local host; known: ${Object.keys(BUILDERS).join(', ')}`,
    );
  }
  const words = match?.[2] === undefined ? [] : match[2].split(',').map((word) => word.trim());
  const args = words.map((word) => parseInteger(word, builder.lengths === true ? INT_MAX : LONG_MAX));
  const numbers = args.filter((arg) => arg !== undefined);
  if (!builder.arity.includes(args.length) || numbers.length !== args.length) {
    throw new HostRefusal(
      `constraint "${text}" needs ${builder.arity.join(' or ')} whole-number argument(s)`,
    );
  }
  if (builder.lengths === true && numbers.some((number) => number < 0n)) {
    throw new HostRefusal(`constraint "${text}" has a negative length`);
  }
  const [low, high] = numbers;
  if (low !== undefined && high !== undefined && low > high) {
    throw new HostRefusal(`constraint "${text}" has a minimum above its maximum`);
  }
  return { text, ...builder.build(numbers) };
}
