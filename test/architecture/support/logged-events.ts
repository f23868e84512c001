import type { SourceFile } from './scan-source.ts';

/** Event names that a file logs: the texts in the first argument of every call of a log level. */
export function loggedEvents(file: SourceFile): string[] {
  return [...file.code.matchAll(/\.(?:debug|info|warn|error)\(([^,)]*)/g)].flatMap((call) => {
    const from = call.index + call[0].length - (call[1]?.length ?? 0);
    const argument = file.text.slice(from, from + (call[1]?.length ?? 0));
    return [...argument.matchAll(/'([a-z]\w*\.\w+)'/g)].map(([, name]) => name ?? '');
  });
}
