/**
 * The forms of known secrets, by the public rules of gitleaks and the vendors' own documentation. To add one: a row, and an example in
 * `redact-secrets.test.ts`. A row must be certain: an ordinary word that is hidden from the model breaks its work on that file. So no rule uses
 * entropy, or a name such as `password` alone.
 */

/** A secret begins with `prefix` and has at least `minLength` token characters in all. */
export interface SecretPrefix {
  readonly name: string;
  readonly prefix: string;
  readonly minLength: number;
}

const tokens = (name: string, minLength: number, ...prefixes: readonly string[]): readonly SecretPrefix[] =>
  prefixes.map((prefix) => ({ name, prefix, minLength }));

/** Minimum lengths exclude words such as `sk-learn` and `npm_config_cache`; so does the mixture of characters that `redactSecrets` requires. */
export const SECRET_PREFIXES: readonly SecretPrefix[] = [
  // Model providers; several use `sk-`.
  ...tokens('sk key', 20, 'sk-'),
  ...tokens('Groq key', 40, 'gsk_'),
  ...tokens('xAI key', 40, 'xai-'),
  ...tokens('Perplexity key', 40, 'pplx-'),
  ...tokens('Hugging Face token', 34, 'hf_'),
  ...tokens('Replicate token', 37, 'r8_'),
  // Hosting of code and packages
  ...tokens('GitHub token', 24, 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'),
  ...tokens('GitHub token', 30, 'github_pat_'),
  ...tokens(
    'GitLab token',
    20,
    'glpat-',
    'gldt-',
    'glrt-',
    'glptt-',
    'glcbt-',
    'glsoat-',
    'glimt-',
    'glagent-',
    'GR1348941',
  ),
  ...tokens('Bitbucket token', 30, 'ATBB', 'ATCTT3x'),
  ...tokens('Atlassian token', 60, 'ATATT3'),
  ...tokens('npm token', 36, 'npm_'),
  ...tokens('PyPI token', 50, 'pypi-AgE'),
  ...tokens('RubyGems key', 50, 'rubygems_'),
  ...tokens('Docker Hub token', 30, 'dckr_pat_', 'dckr_oat_'),
  // Clouds and infrastructure
  ...tokens('AWS key', 20, 'AKIA', 'ASIA', 'ABIA', 'ACCA'),
  ...tokens('Google API key', 39, 'AIza'),
  ...tokens('Google OAuth secret', 35, 'GOCSPX-'),
  ...tokens('Google access token', 30, 'ya29.'),
  ...tokens('DigitalOcean token', 60, 'dop_v1_', 'doo_v1_', 'dor_v1_'),
  ...tokens('Vault token', 30, 'hvs.', 'hvb.', 'hvr.'),
  ...tokens('Terraform Cloud token', 60, 'atlasv1.'),
  ...tokens('Doppler token', 40, 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'),
  ...tokens('Pulumi token', 44, 'pul-'),
  ...tokens('Fly.io token', 40, 'FlyV1', 'fo1_', 'fm1_', 'fm2_'),
  ...tokens('Heroku key', 40, 'HRKU-'),
  ...tokens('Supabase token', 40, 'sbp_'),
  ...tokens('PlanetScale token', 40, 'pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'),
  ...tokens('Databricks token', 36, 'dapi'),
  ...tokens('1Password token', 60, 'ops_eyJ'),
  ...tokens('age secret key', 60, 'AGE-SECRET-KEY-1'),
  // Services
  ...tokens('Slack token', 20, 'xox'),
  ...tokens('Slack token', 30, 'xapp-'),
  ...tokens('Stripe key', 20, 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'),
  ...tokens('SendGrid key', 60, 'SG.'),
  ...tokens('Brevo key', 70, 'xkeysib-'),
  ...tokens('Shopify token', 36, 'shpat_', 'shpca_', 'shppa_', 'shpss_'),
  ...tokens('Square token', 26, 'sq0atp-', 'sq0csp-'),
  ...tokens('Linear key', 40, 'lin_api_', 'lin_oauth_'),
  ...tokens('Notion token', 45, 'ntn_'),
  ...tokens('Figma token', 40, 'figd_'),
  ...tokens('Postman key', 60, 'PMAK-'),
  ...tokens('New Relic key', 30, 'NRAK-', 'NRJS-', 'NRII-'),
  ...tokens('Grafana token', 30, 'glsa_', 'glc_'),
  ...tokens('Sentry token', 40, 'sntrys_', 'sntryu_'),
  ...tokens('Dynatrace token', 60, 'dt0c01.', 'dt0s01.'),
  ...tokens('Prefect token', 40, 'pnu_'),
  ...tokens('EasyPost key', 50, 'EZAK', 'EZTK'),
];

/**
 * Secrets that have no unique prefix. `pattern` is tried only where `keyword` is found at the beginning of a word. It is sticky and limited in each
 * part, so that no text takes long. The match of its group `secret` is hidden, or the whole match without such a group.
 */
export interface SecretPattern {
  readonly name: string;
  readonly keyword: string;
  readonly pattern: RegExp;
}

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'JSON web token',
    keyword: 'eyJ',
    pattern: /eyJ[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,4096}/dy,
  },
  ...['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'secretAccessKey', 'SecretAccessKey'].map((keyword) => ({
    name: 'AWS secret key',
    keyword,
    pattern: new RegExp(`${keyword}["']?\\s{0,8}[=:]\\s{0,8}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`, 'dy'),
  })),
  {
    name: 'Azure storage key',
    keyword: 'AccountKey=',
    pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{80,90}={0,2})/dy,
  },
  {
    name: 'Slack webhook',
    keyword: 'hooks.slack.com/',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/+_-]{30,100})/dy,
  },
  {
    name: 'Discord webhook',
    keyword: 'discord',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/[0-9]{10,25}\/(?<secret>[A-Za-z0-9_-]{50,100})/dy,
  },
  // A password in an address; a variable or a placeholder in its place stays.
  {
    name: 'password in an address',
    keyword: '://',
    pattern: /:\/\/[^\s:@/"'`<>{}$]{1,128}:(?<secret>[^\s@/"'`<>{}$*:]{6,256})@(?!localhost|127\.0\.0\.1|example\.)/dy,
  },
];
