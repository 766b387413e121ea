import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { listAt, textAt, valueAt } from '../../domain/value-at.ts';
import type { Millis } from '../../domain/time.ts';
import { errorCode } from '../words/errno-words.ts';
import { errorWords, lengthWords } from '../words/plain-words.ts';
import { operatorLine } from '../words/secrets.ts';
import { textOf, type Entry } from './kubeconfig-entries.ts';

/** A plugin may ask a server for a token. Nobody can log in at a terminal, which it has not. */
const patience: Millis = 60_000;

/** In bytes: certificates and a token have some kilobytes. */
const longestOutput = 1_048_576;

/**
 * The `exec` of a user as client-node is to run it: with what client-go tells a plugin, and found where client-go finds it. Throws an
 * Error for the operator where it cannot be run.
 */
export function plannedPlugin(user: Entry, cluster: Entry): object {
  const command = textOf(user, 'exec', 'command');
  const place = `${user.place}, exec`;
  if (command === '') throw new Error(`${place}.command is missing`);
  if (textOf(user, 'exec', 'interactiveMode') === 'Always')
    throw new Error(`${place}.interactiveMode is Always, but there is no terminal here; use a token or a certificate`);
  return {
    // A path is relative to its kubeconfig; a name is looked up in $PATH.
    command: command.includes('/') ? resolve(dirname(user.file), command) : command,
    args: listAt(user.fields, 'exec', 'args').map(String),
    env: [...listAt(user.fields, 'exec', 'env'), { name: 'KUBERNETES_EXEC_INFO', value: execInfo(user, cluster) }],
  };
}

/** What client-go tells a plugin; some serve several clusters, and need to know which one is meant. */
function execInfo(user: Entry, cluster: Entry): string {
  const spec: Record<string, unknown> = { interactive: false };
  if (valueAt(user.fields, 'exec', 'provideClusterInfo') === true) {
    const own = listAt(cluster.fields, 'extensions').find(
      (one) => textAt(one, 'name') === 'client.authentication.k8s.io/exec',
    );
    const passed = ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'certificate-authority-data'];
    spec['cluster'] = {
      ...Object.fromEntries(passed.map((key) => [key, valueAt(cluster.fields, key)])),
      config: valueAt(own, 'extension'),
    };
  }
  return JSON.stringify({ apiVersion: textOf(user, 'exec', 'apiVersion'), kind: 'ExecCredential', spec });
}

export type RunPlugin = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Runs plugins without a terminal, within limits of time and output. `faultWords` says why the last one gave nothing. */
export function boundedPlugins(): Readonly<{ run: RunPlugin; faultWords: (user: Entry, error: unknown) => string }> {
  let last: Ran | undefined;
  const run: RunPlugin = (command, args, options) => {
    // Whoever asks for a password gets an end of input, and not silence.
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { ...options, stdio, timeout: patience, killSignal: 'SIGKILL' });
    const ran: Ran = { child, printedBytes: 0 };
    last = ran;
    const kill = () => void child.kill('SIGKILL');
    // Nobody waits for it any more.
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    child.stdout?.on('data', (text: string) => {
      ran.printedBytes += Buffer.byteLength(text);
      if (ran.printedBytes > longestOutput) kill();
    });
    return child;
  };
  return { run, faultWords: (user, error) => faultWords(user, error, last) };
}

type Ran = { readonly child: ChildProcess; printedBytes: number };

/** The output is never quoted, since it may hold the token; the last line of what it says beside that is. */
function faultWords(user: Entry, error: unknown, ran: Ran | undefined): string {
  const installHint = textOf(user, 'exec', 'installHint');
  const hint = installHint === '' ? 'install it, or use a token or a certificate' : operatorLine(installHint);
  if (errorCode(error) === 'ENOENT') return `was not found; ${hint}`;
  if (errorCode(error) === 'EACCES') return 'may not be run: permission denied';
  if (ran === undefined) return `could not be run: ${operatorLine(errorWords(error))}`;
  const { child, printedBytes } = ran;
  if (printedBytes > longestOutput) return `printed more than ${longestOutput} bytes`;
  if (child.killed) return `did not end within ${lengthWords(patience)}`;
  if (child.exitCode === 0) {
    // Of a credential without a status client-node says that it cannot read properties of undefined.
    if (!(error instanceof SyntaxError)) return gaveNothing;
    const found = printedBytes === 0 ? 'nothing' : 'something else';
    return `must print an ExecCredential as JSON; found ${found}`;
  }
  const ended =
    child.signalCode === null ? `failed with exit code ${child.exitCode}` : `was ended by ${child.signalCode}`;
  // What it printed as an error is all that client-node's error says.
  const said = operatorLine(errorWords(error).trim().split('\n').at(-1) ?? '');
  return said === '' ? `${ended}, and said nothing` : `${ended}: ${said}`;
}

export const gaveNothing = 'printed neither status.token nor status.clientCertificateData with status.clientKeyData';
