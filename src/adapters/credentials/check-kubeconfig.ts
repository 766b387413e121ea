import { dirname, resolve } from 'node:path';
import type { User } from '@kubernetes/client-node';
import { valueAt } from '../../domain/value-at.ts';
import { plannedPlugin } from './exec-plugin.ts';
import { isSet, textOf, type CurrentEntries, type Entry } from './kubeconfig-entries.ts';
import { readPlaced, type TlsMaterial } from './credentials.ts';
import { readAuthorities, type PlacedPem } from './tls-material.ts';

/** A kubeconfig of one context, with no file behind it, which client-node reads as we mean it. Secret. */
export type CheckedKubeconfig = Readonly<{
  server: string;
  tls: TlsMaterial;
  /** What goes to client-node. */
  user: User;
  warnings: readonly string[];
  /** Where the user's token comes from, for sentences: `context "seed", user "admin", exec`. */
  tokenPlace: string;
  pair: Readonly<{ certificate: PlacedPem; key: PlacedPem }> | undefined;
}>;

const ways = 'a token, a tokenFile, a client certificate with its key, or exec';

/**
 * Refuses what client-node or our transport would ignore, and what it would fail at without a sentence. Reads the files that the kubeconfig names, as it
 * would stop the event loop meanwhile. Rejects with an Error for the operator.
 */
export async function checkKubeconfig({ cluster, user }: CurrentEntries): Promise<CheckedKubeconfig> {
  const warnings: string[] = [];
  const server = serverOf(cluster);
  const tls = await tlsOf(cluster, warnings);
  for (const field of ['as-uid', 'as-groups', 'as-user-extra']) {
    if (isSet(user, field)) throw new Error(`${user.place}, ${field} is not supported; remove it`);
  }
  const issuer = issuerOf(user, warnings);
  const pair = await pairOf(user);
  const token = await tokenOf(user);
  const plugin = token === '' && isSet(user, 'exec') ? plannedPlugin(user, cluster) : undefined;
  const username = textOf(user, 'username');
  const as = impersonationText(`${user.place}, as`, textOf(user, 'as'));
  if (!token && !pair && !plugin && !issuer && !username)
    throw new Error(`${user.place} has no credentials; expected ${ways}`);
  return {
    server,
    tls,
    user: {
      name: 'user',
      ...(pair && { certData: base64(pair.certificate.pem), keyData: base64(pair.key.pem) }),
      // A token outranks what an exec plugin or an issuer gives.
      token,
      exec: plugin,
      authProvider: token === '' && plugin === undefined ? issuer : undefined,
      username,
      password: textOf(user, 'password'),
      ...(as === '' ? {} : { impersonateUser: as }),
    },
    warnings,
    tokenPlace: `${user.place}, ${plugin === undefined ? 'auth-provider' : 'exec'}`,
    pair,
  };
}

async function tlsOf(cluster: Entry, warnings: string[]): Promise<TlsMaterial> {
  const insecure = valueAt(cluster.fields, 'insecure-skip-tls-verify') === true;
  if (insecure && (isSet(cluster, 'certificate-authority') || isSet(cluster, 'certificate-authority-data')))
    throw new Error(`${cluster.place}: insecure-skip-tls-verify contradicts certificate-authority; remove one of them`);
  const authorities = await pemOf(cluster, 'certificate-authority');
  const { pem: ca, skipped } = authorities === undefined ? {} : readAuthorities(authorities);
  if (skipped !== undefined) warnings.push(skipped);
  if (insecure)
    warnings.push(`${cluster.place}: insecure-skip-tls-verify is set, so anybody in between can pose as the seed`);
  const servername = textOf(cluster, 'tls-server-name');
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(servername === '' ? {} : { servername }),
  };
}

function serverOf(cluster: Entry): string {
  const server = textOf(cluster, 'server');
  const place = `${cluster.place}, server`;
  if (server === '') throw new Error(`${place} is missing; expected https://HOST:PORT`);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`${place} must be a URL such as https://HOST:PORT`);
  if (url.username !== '' || url.password !== '') throw new Error(`${place} must not hold a user or a password`);
  if (url.protocol === 'http:')
    throw new Error(`${place} must begin with https; found ${url.origin}, where anybody could read the credentials`);
  // client-node would go through it, but the connection is ours.
  if (textOf(cluster, 'proxy-url') !== '')
    throw new Error(`${cluster.place}, proxy-url is not supported; remove it, and reach the seed without a proxy`);
  return server.replace(/\/+$/, '');
}

/** The `auth-provider` of a user, which may be OIDC alone: kubectl has dropped the others, and `exec` took their place. */
function issuerOf(user: Entry, warnings: string[]): object | undefined {
  if (!isSet(user, 'auth-provider')) return undefined;
  if (textOf(user, 'auth-provider', 'name') !== 'oidc')
    throw new Error(`${user.place}, auth-provider is not supported; use ${ways}`);
  const url = textOf(user, 'auth-provider', 'config', 'idp-issuer-url');
  if (url !== '' && !URL.canParse(url))
    throw new Error(`${user.place}, auth-provider oidc: idp-issuer-url must be a URL such as https://HOST`);
  const authority = ['idp-certificate-authority', 'idp-certificate-authority-data'];
  if (authority.some((field) => textOf(user, 'auth-provider', 'config', field) !== ''))
    warnings.push(`${user.place}, idp-certificate-authority has no effect; name its file in $NODE_EXTRA_CA_CERTS`);
  const given = Object.entries(valueAt(user.fields, 'auth-provider', 'config') ?? {});
  // With an authority client-node makes an answer of its own that its OIDC library refuses.
  const config: Record<string, unknown> = Object.fromEntries(given.filter(([field]) => !authority.includes(field)));
  // It hands its OIDC library a text where that takes a URL only, and so would never renew a token.
  if (url !== '') config['idp-issuer-url'] = new URL(url);
  return { name: 'oidc', config };
}

/** Empty where there is none. client-node knows no `tokenFile`, which outranks a token. */
async function tokenOf(user: Entry): Promise<string> {
  const tokenFile = textOf(user, 'tokenFile');
  if (tokenFile === '') return headerText(`${user.place}, token`, textOf(user, 'token'));
  const token = headerText(`${user.place}, tokenFile`, await fileOf(user, 'tokenFile', tokenFile));
  if (token === '') throw new Error(`${user.place}, tokenFile: the file is empty`);
  return token;
}

/** A token as a header takes it: visible ASCII and nothing else, so that nothing can follow it in a header of its own. */
export function headerText(place: string, text: string): string {
  const token = text.trim();
  if (!/^[\x21-\x7e]*$/.test(token)) throw new Error(`${place} holds characters that no token has`);
  return token;
}

/** The name of a user or a group as a header takes it: the bytes of its UTF-8, a character each, and none that would end the header. */
export function impersonationText(place: string, name: string): string {
  if (/\p{Cc}/u.test(name)) throw new Error(`${place} holds a line break or another control character; remove it`);
  return Buffer.from(name).toString('latin1');
}

async function pairOf(user: Entry): Promise<CheckedKubeconfig['pair']> {
  const certificate = await pemOf(user, 'client-certificate');
  const key = await pemOf(user, 'client-key');
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined) throw new Error(`${user.place} has a client-key, but client-certificate is missing`);
  if (key === undefined) throw new Error(`${user.place} has a client-certificate, but client-key is missing`);
  return { certificate, key };
}

/** The text of `FIELD-data`, or of the file that `FIELD` names, which outranks it; undefined where there is neither. */
async function pemOf(entry: Entry, field: string): Promise<PlacedPem | undefined> {
  const file = textOf(entry, field);
  if (file !== '') return { place: `${entry.place}, ${field}`, pem: await fileOf(entry, field, file) };
  const data = textOf(entry, `${field}-data`);
  if (data === '') return undefined;
  return { place: `${entry.place}, ${field}-data`, pem: Buffer.from(data, 'base64').toString('utf8') };
}

/** The text of a file that the kubeconfig names; relative to the kubeconfig's own directory. */
async function fileOf(entry: Entry, field: string, file: string): Promise<string> {
  const path = resolve(dirname(entry.file), file);
  return await readPlaced(`${entry.place}, ${field}: ${path}`, path);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
