import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Where `--help` is the first argument, prints how the script is called, and the comment that it begins with, and ends. */
export function helpOfHeader(call: string, file: string): void {
  if (!['--help', '-h'].includes(process.argv[2] ?? '')) return;
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  const about = comment
    .split('\n')
    .map((line) => line.replace(/^ \* ?/, '').trimEnd())
    .join('\n')
    .trim();
  process.stdout.write(`Usage: npm run ${call}\n\n${about}\n`);
  process.exit(0);
}
