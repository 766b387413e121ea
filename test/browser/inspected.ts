import { join } from 'node:path';
import { inject, type TestContext } from 'vitest';
import { Program } from '../support/program.ts';

/** `inspect` as a process, on the journal of a night. Gives where its page is, and the process. */
export async function inspected(
  context: Pick<TestContext, 'onTestFinished'>,
  night: string,
): Promise<Readonly<{ origin: string; program: Program }>> {
  const program = new Program(context, ['inspect', join(inject('nights'), night)]);
  return { origin: await printedOrigin(program), program };
}

/** The address that a program prints for its page. */
export async function printedOrigin(program: Program): Promise<string> {
  const link = /http:\/\/127\.0\.0\.1:\d+(?=\/)/;
  await program.says(link);
  return link.exec(program.stdout)?.[0] ?? '';
}
