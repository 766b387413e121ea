import { counted } from '../adapters/words/plain-words.ts';
import {
  writePath,
  type ConfigProblem,
  type ConfigReading,
  type ConfigWarning,
} from '../domain/config/config-remark.ts';
import { wrap } from './command.ts';

/** Why a configuration is refused, for a terminal: each problem with its place, what was found and what is expected (SPEC 1.3). */
export function refusalReport(file: string, { problems, warnings }: ConfigReading<never> & { ok: false }): string[] {
  return [
    `${file} cannot be used: ${counted(problems.length, 'problem')}`,
    ...problems.flatMap((problem) => ['', ...problemLines(problem)]),
    ...(warnings.length === 0 ? [] : ['', ...warningLines(warnings)]),
  ];
}

/** The warnings under a heading, or nothing if there are none. */
export function warningLines(warnings: readonly ConfigWarning[]): string[] {
  if (warnings.length === 0) return [];
  return [counted(warnings.length, 'warning'), ...warnings.flatMap((warning) => wrap(warningSentence(warning), 4, 2))];
}

/** One warning as a sentence: `dependentResourceInfos[0].scaleUp.level (line 7) is missing, and counts as 0`. */
export function warningSentence(warning: ConfigWarning): string {
  return `${place(warning)} ${warning.text}`;
}

function problemLines(problem: ConfigProblem): string[] {
  const [found, wanted] = ['found:     ', 'expected:  '];
  return [
    `  ${place(problem)}`,
    ...wrap(found + problem.found, 4 + found.length, 4),
    ...wrap(wanted + problem.wanted, 4 + wanted.length, 4),
  ];
}

function place({ path, line }: ConfigProblem | ConfigWarning): string {
  const where = path.length === 0 ? 'the file' : writePath(path);
  return line === undefined ? where : `${where} (line ${line})`;
}
