import { join } from 'node:path';
import { afterAll, beforeAll, inject, type TestContext } from 'vitest';
import { Program } from '@dwd/testing/program.ts';
import { printedOrigin } from './printed-origin.ts';

type Ends = Pick<TestContext, 'onTestFinished'>;

/** `inspect` as a process of one test, on the journal of a night. Gives where its page is, and the process. */
export async function inspected(ends: Ends, night: string): Promise<Readonly<{ origin: string; program: Program }>> {
  const program = new Program(ends, ['inspect', join(inject('nights'), night)]);
  return { origin: await printedOrigin(program), program };
}

/** The same for all tests of a file. `origin` throws before the first of them. */
export function inspectedByAll(night: string): Readonly<{ origin: () => string }> {
  const ending: (() => unknown)[] = [];
  let known: string | undefined;
  beforeAll(async () => {
    const ends: Ends = { onTestFinished: (end) => void ending.push(end as () => unknown) };
    known = (await inspected(ends, night)).origin;
  });
  afterAll(async () => {
    for (const end of ending) await end();
  });
  return {
    origin() {
      if (known === undefined) throw new Error('nothing is inspected yet');
      return known;
    },
  };
}
