import type { Program } from '@dwd/testing/program.ts';

/** The address that a program prints for its page. */
export async function printedOrigin(program: Program): Promise<string> {
  const link = /http:\/\/127\.0\.0\.1:\d+(?=\/(?:\s|$))/;
  await program.says(link);
  return link.exec(program.stdout)?.[0] ?? '';
}
