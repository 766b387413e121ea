/**
 * Slips as people write them, in `*.slips`:
 *
 *     # A comment.
 *     src/some/file.ts seen by test/one.test.ts test/another.test.ts
 *       what the mistake breaks, in words
 *         - what stands in the file, exactly once
 *         + what stands there instead; nothing where it is missing
 *         explained: why no test can see it, or none should
 *
 * The code stands there as it is, without quotes, so that a search for a line of the source finds its slips; several lines
 * are several `-` or `+`. In `packages/lab/soak/slips`, where laws look and no tests, a file stands alone, `of ROOM` instead of it takes
 * slips of that room of packages/lab/mutants by their words, and `was true:` says where the mistake was really made.
 */
export type WrittenSlip = Readonly<{ says: string; explained?: string; wasTrue?: string }> &
  (Readonly<{ of: string }> | Readonly<{ file: string; tests: readonly string[]; find: string; put: string }>);

type Heading = Readonly<{ of: string }> | Readonly<{ file: string; tests: readonly string[] }>;

type Draft = {
  heading: Heading;
  at: string;
  says: string;
  find: string[];
  put: string[];
  notes: Record<string, string>;
};

/** The slips of one file in their order. Throws with the file and the line of what cannot be read. */
export function readSlips(path: string, text: string): readonly WrittenSlip[] {
  const drafts: Draft[] = [];
  let heading: Heading | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const at = `${path}:${index + 1}`;
    const last = drafts.at(-1);
    const [, says] = /^ {2}(\S.*)$/.exec(line) ?? [];
    const [, sign, code = ''] = /^ {4}([-+])(?: (.*))?$/.exec(line) ?? [];
    const [, note, why] = /^ {4}(explained|was true): (.+)$/.exec(line) ?? [];
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) heading = headingOf(line, at);
    else if (says !== undefined && heading !== undefined) {
      if (drafts.some((one) => one.says === says)) throw new Error(`${at}: a second slip says '${says}'`);
      drafts.push({ heading, at, says, find: [], put: [], notes: {} });
    } else if (last !== undefined && last.heading === heading && sign !== undefined)
      (sign === '-' ? last.find : last.put).push(code);
    else if (last !== undefined && last.heading === heading && note !== undefined && why !== undefined)
      last.notes[note] = why;
    else throw new Error(`${at}: no part of a slip stands here: ${JSON.stringify(line)}`);
  }
  return drafts.map(slipOf);
}

function headingOf(line: string, at: string): Heading {
  const [, of] = /^of (\S+)$/.exec(line) ?? [];
  if (of !== undefined) return { of };
  const [, file, tests] = /^(\S+\/\S+)(?: seen by (\S.*))?$/.exec(line) ?? [];
  if (file === undefined) throw new Error(`${at}: neither 'FILE seen by TESTS' nor 'of ROOM': ${JSON.stringify(line)}`);
  return { file, tests: tests?.split(' ') ?? [] };
}

function slipOf({ heading, at, says, find, put, notes }: Draft): WrittenSlip {
  const { explained, 'was true': wasTrue } = notes;
  const told = {
    says,
    ...(explained === undefined ? {} : { explained }),
    ...(wasTrue === undefined ? {} : { wasTrue }),
  };
  if ('of' in heading) {
    if (find.length + put.length > 0) throw new Error(`${at}: code stands with the room, not here`);
    return { ...heading, ...told };
  }
  if (find.length === 0) throw new Error(`${at}: no '-' says what stands in ${heading.file}`);
  return { ...heading, ...told, find: find.join('\n'), put: put.join('\n') };
}
