import type { Severity } from '../../../shared/domain/finding.ts';

/** The languages that the deterministic rules and the random repositories know. */
export const LANGUAGES = ['typescript', 'javascript', 'python', 'csharp'] as const;
export type Language = (typeof LANGUAGES)[number];

export const RULE_IDS = [
  'committed-secret',
  'leftover-debugger',
  'empty-catch',
  'disabled-test',
  'focused-test',
  'conflict-marker',
  'tls-verification-off',
  'eval-of-input',
] as const;
export type RuleId = (typeof RULE_IDS)[number];

/** A line that breaks a rule in one language, as a developer would have written it. */
export interface ExampleLine {
  readonly language: Language;
  readonly line: string;
}

/**
 * One deterministic rule. A rule looks at single added lines and reports each line that matches, once, whatever
 * stands around it; no line matches two rules.
 */
export interface RuleExample {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly title: string;
  /** What a reviewer would write under the title. */
  readonly advice: string;
  /** Languages the rule looks at; `any` means every text file, also ones without a known language. */
  readonly languages: readonly Language[] | 'any';
  /** Tested against one line without its line ending. Linear: no nested quantifiers. */
  readonly pattern: RegExp;
  /** Lines that match; the first is the canonical one. */
  readonly examples: readonly [ExampleLine, ...ExampleLine[]];
  /** Harmless lines that look alike and must not be reported. */
  readonly lookalikes: readonly ExampleLine[];
}

const SCRIPT: readonly Language[] = ['typescript', 'javascript'];

export const RULE_EXAMPLES: readonly RuleExample[] = [
  {
    rule: 'committed-secret',
    severity: 'critical',
    title: 'A credential is committed',
    advice: 'Revoke this credential, then read it from the environment or a secret store.',
    languages: 'any',
    pattern:
      /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bghp_[A-Za-z0-9]{36}\b|-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----/,
    examples: [
      { language: 'typescript', line: "const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';" },
      { language: 'javascript', line: "  accessKeyId: 'AKIAIOSFODNN7EXAMPLE'," },
      { language: 'python', line: 'ACCESS_KEY_ID = "AKIAIOSFODNN7EXAMPLE"' },
      { language: 'csharp', line: 'private const string AccessKeyId = "AKIAIOSFODNN7EXAMPLE";' },
    ],
    lookalikes: [
      { language: 'typescript', line: 'const accessKeyId = process.env.AWS_ACCESS_KEY_ID;' },
      { language: 'python', line: 'ACCESS_KEY_ID = os.environ["AWS_ACCESS_KEY_ID"]' },
    ],
  },
  {
    rule: 'leftover-debugger',
    severity: 'high',
    title: 'A debugger statement is left in the code',
    advice: 'Remove it: it stops the process wherever a debugger is attached.',
    languages: LANGUAGES,
    pattern:
      /^\s*(?:debugger;?|breakpoint\(\)|import pdb; pdb\.set_trace\(\)|(?:System\.Diagnostics\.)?Debugger\.Break\(\);)\s*$/,
    examples: [
      { language: 'typescript', line: '  debugger;' },
      { language: 'javascript', line: '    debugger;' },
      { language: 'python', line: '    breakpoint()' },
      { language: 'csharp', line: '        System.Diagnostics.Debugger.Break();' },
    ],
    lookalikes: [
      { language: 'typescript', line: "const debuggerUrl = new URL('/debugger', base);" },
      { language: 'python', line: '    breakpoints = []' },
    ],
  },
  {
    rule: 'empty-catch',
    severity: 'medium',
    title: 'An error is swallowed',
    advice: 'Handle the error, or log it and say why it may be ignored.',
    languages: LANGUAGES,
    pattern: /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}|^\s*except\b[^:#]*:\s*pass\s*$/,
    examples: [
      { language: 'typescript', line: '  } catch {}' },
      { language: 'javascript', line: '  } catch (error) {}' },
      { language: 'python', line: '    except Exception: pass' },
      { language: 'csharp', line: '        catch (Exception) { }' },
    ],
    lookalikes: [
      { language: 'typescript', line: '  } catch (error) { log.warn(error); }' },
      { language: 'python', line: '    except KeyError: return None' },
    ],
  },
  {
    rule: 'disabled-test',
    severity: 'medium',
    title: 'A test is disabled',
    advice: 'Repair the test or delete it; a skipped test protects nothing.',
    languages: LANGUAGES,
    pattern:
      /\b(?:it|test|describe)\.skip\(|^\s*x(?:it|describe|test)\(|^\s*@(?:pytest\.mark\.skip|unittest\.skip)\b|^\s*\[(?:Ignore\b|(?:Fact|Theory)\(Skip\s*=)/,
    examples: [
      { language: 'typescript', line: "  it.skip('keeps the total in cents', () => {" },
      { language: 'javascript', line: "test.skip('rounds half up', () => {" },
      { language: 'python', line: '@pytest.mark.skip(reason="flaky")' },
      { language: 'csharp', line: '    [Fact(Skip = "flaky")]' },
    ],
    lookalikes: [
      { language: 'typescript', line: '  const page = items.skip(offset);' },
      { language: 'python', line: '    reader.skip(4)' },
    ],
  },
  {
    rule: 'focused-test',
    severity: 'high',
    title: 'Only this test runs',
    advice: 'Remove the focus: every other test of the file is silently left out.',
    languages: SCRIPT,
    pattern: /\b(?:it|test|describe)\.only\(|^\s*f(?:it|describe)\(/,
    examples: [
      { language: 'typescript', line: "  it.only('applies the discount', () => {" },
      { language: 'javascript', line: "describe.only('checkout', () => {" },
    ],
    lookalikes: [{ language: 'typescript', line: '  const rest = query.only(fields);' }],
  },
  {
    rule: 'conflict-marker',
    severity: 'high',
    title: 'A merge conflict marker is committed',
    advice: 'Finish the merge: this file does not parse.',
    languages: 'any',
    pattern: /^<{7} \S/,
    examples: [
      { language: 'typescript', line: '<<<<<<< HEAD' },
      { language: 'python', line: '<<<<<<< main' },
    ],
    lookalikes: [{ language: 'typescript', line: 'const shifted = value << 7;' }],
  },
  {
    rule: 'tls-verification-off',
    severity: 'critical',
    title: 'TLS certificates are not verified',
    advice:
      'Anyone on the path can read and change this traffic. Trust the right certificate authority instead.',
    languages: LANGUAGES,
    pattern:
      /\brejectUnauthorized:\s*false\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b['"\]]*\s*=\s*['"]?0|\bverify\s*=\s*False\b|\bDangerousAcceptAnyServerCertificateValidator\b/,
    examples: [
      { language: 'typescript', line: '  const agent = new Agent({ rejectUnauthorized: false });' },
      { language: 'javascript', line: "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';" },
      { language: 'python', line: '    response = requests.get(url, verify=False)' },
      {
        language: 'csharp',
        line: '        handler.ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator;',
      },
    ],
    lookalikes: [
      { language: 'typescript', line: '  const agent = new Agent({ rejectUnauthorized: true });' },
      { language: 'python', line: '    response = requests.get(url, verify=True)' },
    ],
  },
  {
    rule: 'eval-of-input',
    severity: 'critical',
    title: 'Input is evaluated as code',
    advice: 'Parse the input instead; whoever controls it controls the process.',
    languages: LANGUAGES,
    pattern:
      /(?:^|[^.\w])(?:eval|exec)\(\s*[A-Za-z_]|\bnew Function\(\s*[A-Za-z_]|\bCSharpScript\.EvaluateAsync\(\s*[A-Za-z_]/,
    examples: [
      { language: 'typescript', line: '  const rule = eval(request.query.rule);' },
      { language: 'javascript', line: '  return new Function(input)();' },
      { language: 'python', line: '    result = eval(expression)' },
      { language: 'csharp', line: '        var result = await CSharpScript.EvaluateAsync(input);' },
    ],
    lookalikes: [
      { language: 'typescript', line: '  const match = pattern.exec(text);' },
      { language: 'python', line: '    result = ast.literal_eval(expression)' },
    ],
  },
];

const LANGUAGE_BY_EXTENSION: ReadonlyMap<string, Language> = new Map([
  ['ts', 'typescript'],
  ['mts', 'typescript'],
  ['tsx', 'typescript'],
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['jsx', 'javascript'],
  ['py', 'python'],
  ['cs', 'csharp'],
]);

/** The language of a path by its extension; undefined for everything the rules do not know. */
export function languageOf(path: string): Language | undefined {
  return LANGUAGE_BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** The rules that one added line breaks, in catalogue order; at most one for the examples of this file. */
export function matchingRules(path: string, line: string): readonly RuleExample[] {
  const language = languageOf(path);
  return RULE_EXAMPLES.filter(
    (example) =>
      (example.languages === 'any' || (language !== undefined && example.languages.includes(language))) &&
      example.pattern.test(line),
  );
}
