import { execFile, type ExecFileException } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { textAt, valueAt } from '../../domain/value-at.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { operatorLine } from '../words/secrets.ts';
import { textOf, type Entry } from './kubeconfig-entries.ts';

/** What an exec plugin gave: a token, or a client certificate with its key, or both. Empty where it gave none. Secret. */
export type PluginCredential = Readonly<{
  token: string;
  certificate: string;
  key: string;
  /** Absent: they last. */
  expiresAt?: Instant;
}>;

/** A plugin may ask a server for a token. Nobody can log in at a terminal, which it has not. */
const patience: Millis = 60_000;

/** In bytes: certificates and a token have some kilobytes. */
const longestOutput = 1_048_576;

/**
 * Runs the `exec` plugin of a user as client-go does, but for the terminal. Rejects with an Error that says what to do. The output
 * is never quoted, since it may hold the token.
 */
export async function runExecPlugin(user: Entry, cluster: Entry): Promise<PluginCredential> {
  const command = textOf(user, 'exec', 'command');
  const place = `${user.place}, exec`;
  if (command === '') throw new Error(`${place}.command is missing`);
  if (textOf(user, 'exec', 'interactiveMode') === 'Always')
    throw new Error(`${place}.interactiveMode is Always, but there is no terminal here; use a token or a certificate`);

  const plugin = `${place}: the plugin "${command}"`;
  const output = await run(plugin, user, {
    // A path is relative to its kubeconfig; a name is looked up in $PATH.
    command: command.includes('/') ? resolve(dirname(user.file), command) : command,
    args: listAt(user, 'args').map(String),
    env: { ...process.env, ...ownEnv(user), KUBERNETES_EXEC_INFO: execInfo(user, cluster) },
  });

  let written: unknown;
  try {
    written = JSON.parse(output);
  } catch {
    throw new Error(
      `${plugin} must print an ExecCredential as JSON; found ${output.trim() === '' ? 'nothing' : 'something else'}`,
    );
  }
  const status = (key: string) => textAt(written, 'status', key);
  const credential = {
    token: status('token'),
    certificate: status('clientCertificateData'),
    key: status('clientKeyData'),
  };
  if (credential.token === '' && (credential.certificate === '' || credential.key === ''))
    throw new Error(
      `${plugin} printed neither status.token nor status.clientCertificateData with status.clientKeyData`,
    );
  const expiresAt = Date.parse(status('expirationTimestamp'));
  return Number.isNaN(expiresAt) ? credential : { ...credential, expiresAt };
}

type Call = Readonly<{ command: string; args: readonly string[]; env: NodeJS.ProcessEnv }>;

function run(plugin: string, user: Entry, { command, args, env }: Call): Promise<string> {
  return new Promise((done, failed) => {
    const child = execFile(
      command,
      args,
      { env, timeout: patience, killSignal: 'SIGKILL', maxBuffer: longestOutput },
      (error, stdout, stderr) => {
        process.off('exit', kill);
        if (error === null) done(stdout);
        else failed(new Error(`${plugin} ${faultWords(error, stderr, textOf(user, 'exec', 'installHint'))}`));
      },
    );
    // Nobody waits for it any more.
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    // Whoever asks for a password gets an end of input, and not silence.
    child.stdin?.on('error', () => undefined).end();
  });
}

function faultWords(error: ExecFileException, stderr: string, installHint: string): string {
  const hint = installHint === '' ? 'install it, or use a token or a certificate' : operatorLine(installHint);
  if (error.code === 'ENOENT') return `was not found; ${hint}`;
  if (error.code === 'EACCES') return 'may not be run: permission denied';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${longestOutput} bytes`;
  if (error.killed === true) return `did not end within ${patience / 1_000} s`;
  const ended =
    typeof error.code === 'number'
      ? `failed with exit code ${error.code}`
      : `was ended by ${error.signal ?? error.message}`;
  const said = operatorLine(stderr.trim().split('\n').at(-1) ?? '');
  return said === '' ? `${ended}, and said nothing` : `${ended}: ${said}`;
}

function listAt({ fields }: Entry, key: string): readonly unknown[] {
  const list = valueAt(fields, 'exec', key);
  return Array.isArray(list) ? list : [];
}

function ownEnv(user: Entry): Readonly<Record<string, string>> {
  return Object.fromEntries(listAt(user, 'env').map((pair) => [textAt(pair, 'name'), textAt(pair, 'value')]));
}

/** What client-go tells a plugin; some serve several clusters, and need to know which one is meant. */
function execInfo(user: Entry, cluster: Entry): string {
  const spec: Record<string, unknown> = { interactive: false };
  if (valueAt(user.fields, 'exec', 'provideClusterInfo') === true) {
    const extensions = valueAt(cluster.fields, 'extensions');
    const own: unknown = Array.isArray(extensions)
      ? extensions.find((one) => textAt(one, 'name') === 'client.authentication.k8s.io/exec')
      : undefined;
    const passed = ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'certificate-authority-data'];
    spec['cluster'] = {
      ...Object.fromEntries(passed.map((key) => [key, valueAt(cluster.fields, key)])),
      config: valueAt(own, 'extension'),
    };
  }
  return JSON.stringify({ apiVersion: textOf(user, 'exec', 'apiVersion'), kind: 'ExecCredential', spec });
}
