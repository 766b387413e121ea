import { spawn } from 'node:child_process';
import { endsWithUs } from '../real/clearing-up.ts';

/** Runs a program to its end; rejects with what it said last where it fails or cannot be found. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: Readonly<{ cwd?: string; env?: NodeJS.ProcessEnv }> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    endsWithUs(child);
    let out = '';
    let said = '';
    child.stdout.on('data', (data: Buffer) => (out += String(data)));
    child.stderr.on('data', (data: Buffer) => (said = `${said}${String(data)}`.slice(-2_000)));
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(`there is no ${command} on the PATH`) : error),
    );
    child.on('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ${args[0] ?? ''} ended with ${code}: ${said.trim()}`));
    });
  });
}
