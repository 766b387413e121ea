import type { SceneStage } from './scene-stage.ts';

/** One question or slip of an operator's first night: a command line, and what the program must say to it. */
export type NightScene = Readonly<{
  /** What the operator does, asks, or has got wrong. Each is there once. */
  title: string;
  /** What follows `dependency-watchdog`, divided by blanks. `{dir}`, and what `around` returns, are replaced. */
  args: string;
  /** Files of the scene's directory, by their names. `{dir}` is replaced in them too. */
  files?: Readonly<Record<string, string>>;
  /** The whole environment, but for PATH. `{dir}` is replaced. */
  env?: Readonly<Record<string, string>>;
  input?: string;
  /** Starts what the scene needs, a seed say. Returns the values of more placeholders. */
  around?: (stage: SceneStage) => Promise<Readonly<Record<string, string>>>;
  /** Once it has said this, something else happens. */
  meanwhile?: Readonly<{ once: RegExp; happens: () => void }>;
  /** A program that would go on is ended with SIGTERM once it has said this. */
  until?: RegExp;
  /** Only these lines are shown. A log has many, and their order may differ. */
  lines?: RegExp;
  /** What must be said, whatever else is. */
  says: RegExp;
  code: number;
}>;

/** What came of a scene. `lines`: of both outputs, as shown; without what differs from run to run. */
export type Outcome = Readonly<{ lines: readonly string[]; code: number | null }>;
