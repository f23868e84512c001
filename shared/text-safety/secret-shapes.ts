/** A secret recognised by its form. `group` names the capture that is the secret; without it the whole match. */
export interface SecretShape {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly group?: string;
}

// A pattern without a telling prefix starts only where the run of its own characters starts, so that a long run is
// read once and not once per position, and the end of some other encoded text is not taken for a key.
const NOT_IN_WORD = String.raw`(?<![A-Za-z0-9_-])`;
const NOT_IN_BASE64 = String.raw`(?<![A-Za-z0-9+/=])`;

function prefixed(kind: string, body: string): SecretShape {
  return { kind, pattern: new RegExp(body, 'g') };
}

function part(kind: string, body: string, flags = 'g'): SecretShape {
  return { kind, pattern: new RegExp(body, flags), group: 'secret' };
}

/** Token formats that their issuers document or that secret scanners publish. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  prefixed('aws-access-key-id', String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`),
  part(
    'aws-secret-key',
    String.raw`aws.{0,20}?(?:secret|key).{0,20}?['"=: ](?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    'gi',
  ),
  prefixed('github-token', String.raw`gh[opsur]_[A-Za-z0-9_]{20,}(?:\.[A-Za-z0-9_-]{4,}){0,2}`),
  prefixed('github-token', String.raw`github_pat_[A-Za-z0-9_]{20,}`),
  prefixed(
    'gitlab-token',
    String.raw`gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas|ffct)-[A-Za-z0-9_-]{18,}(?:\.[A-Za-z0-9_-]{2,}){0,3}`,
  ),
  prefixed('gitlab-token', String.raw`GR1348941[A-Za-z0-9_-]{20,}`),
  prefixed('slack-token', String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}`),
  prefixed('slack-token', String.raw`xapp-[A-Za-z0-9-]{10,}`),
  part('slack-webhook', String.raw`hooks\.slack\.com/(?<secret>(?:services|workflows|triggers)/[\w/-]{20,})`),
  prefixed('anthropic-key', String.raw`sk-ant-[A-Za-z0-9_-]{16,}`),
  prefixed('openai-key', String.raw`${NOT_IN_WORD}sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}`),
  prefixed('gatehouse-key', String.raw`ghk_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{16,}`),
  prefixed('npm-token', String.raw`npm_[A-Za-z0-9]{30,}`),
  prefixed('pypi-token', String.raw`pypi-[A-Za-z0-9_-]{50,}`),
  prefixed('docker-token', String.raw`dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`),
  prefixed('google-key', String.raw`AIza[A-Za-z0-9_-]{35}`),
  prefixed('stripe-key', String.raw`(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}`),
  prefixed('sendgrid-key', String.raw`SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}`),
  prefixed('hugging-face-token', String.raw`${NOT_IN_WORD}hf_[A-Za-z0-9]{30,}`),
  prefixed('jwt', String.raw`${NOT_IN_WORD}eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}`),
  // https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key and its neighbours
  prefixed('azure-key', String.raw`${NOT_IN_BASE64}[A-Za-z0-9+/]{86}==`),
  prefixed('azure-key', String.raw`[A-Za-z0-9+/]{33}(?:AIoT|\+ASb|\+AEh|\+ARm)[A-P][A-Za-z0-9+/]{5}=`),
  prefixed('azure-functions-key', String.raw`[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==`),
  prefixed('azure-devops-token', String.raw`[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}`),
  prefixed('azure-devops-token', String.raw`${NOT_IN_WORD}[a-z2-7]{52}(?![A-Za-z0-9])`),
  prefixed('azure-client-secret', String.raw`[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}`),
  part(
    'azure-connection-string',
    String.raw`(?:AccountKey|SharedAccessKey|SharedSecretIssuer|SharedAccessSignature)=(?<secret>[^\s;"'<>[\]]{8,})`,
    'gi',
  ),
  part('azure-sas', String.raw`[?&;]sig=(?<secret>[A-Za-z0-9%+/=_-]{16,})`, 'gi'),
  part('url-password', String.raw`://[^\s:@/?#'"<>[\]]{0,200}:(?<secret>[^\s:@/?#'"<>[\]]{3,500})@`),
  part(
    'authorization-header',
    String.raw`\b(?:bearer|basic|token)[ \t]{1,5}(?<secret>(?=[A-Za-z._~+/-]{0,60}\d)[A-Za-z0-9._~+/-]{20,}={0,2})`,
    'gi',
  ),
];
