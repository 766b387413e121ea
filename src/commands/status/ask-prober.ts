import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Headline } from '../../adapters/record/episodes/headline.ts';
import { withDeadline } from '../../adapters/clock/deadline.ts';
import { LineSplitter, readLines } from '../../adapters/reading/bounded-bytes.ts';
import { errnoWords, errorCode } from '../../adapters/words/errno-words.ts';
import { errorWords, lengthWords } from '../../adapters/words/plain-words.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ProberReport } from '../../domain/prober/prober-report.ts';
import type { StandingState } from '../../domain/prober/standing.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { valueAt } from '../../domain/value-at.ts';
import type { ProcessLead } from '../../adapters/record/journal/journal-kinds.ts';
import { headlineIn, reportsOf } from './prober-reports.ts';
import type { ShootState } from '../../machines/shoot-language.ts';

/** What a prober told, by shoot, and whether it leads, where it says so; or one sentence that says why it told nothing. */
export type ProberAnswer =
  | Readonly<{ of: ReadonlyMap<ShootNamespace, ProberReport>; lead?: ProcessLead; headline?: Headline }>
  | Readonly<{ problem: string }>;

/** A thousand shoots are some hundred kilobytes; somebody may have forwarded the wrong port. */
const mostBytes = 64 * 1_048_576;
const answersWithin: Millis = 30_000;

/** The URL of a prober's address: `localhost:9645`, `:9645`, `9645`, or a URL of http; undefined where it is none. */
export function proberUrl(address: string): string | undefined {
  const text = /^\d{1,5}$/.test(address)
    ? `localhost:${address}`
    : address.startsWith(':')
      ? `localhost${address}`
      : address;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url === null || url.protocol !== 'http:' || url.hostname === '' || url.username !== ''
    ? undefined
    : url.origin;
}

/**
 * Asks a running prober how its shoots stand, and where the address does not serve that (the one of the metrics), for its metrics, which tell less.
 * Never rejects.
 */
export async function askProber(url: string, clock: Clock, only?: ShootNamespace): Promise<ProberAnswer> {
  try {
    return await withDeadline(clock, clock.now() + answersWithin, new AbortController().signal, (signal) =>
      ask(url, clock, signal, only),
    );
  } catch (error) {
    return { problem: `the prober at ${url} cannot be asked: ${wordsOf(error)}` };
  }
}

async function ask(
  url: string,
  clock: Clock,
  signal: AbortSignal,
  only: ShootNamespace | undefined,
): Promise<ProberAnswer> {
  const about = await get(`${url}/about`, signal);
  const { program, lead } = about === undefined ? {} : await readAbout(linesOf(about));
  if (program === 'dependency-watchdog weeder') return { problem: `at ${url} is a weeder, which knows no shoot` };
  // A standby has no turns to read.
  if (lead?.leads === false) return { of: new Map(), lead };
  const shoots = await get(`${url}/shoots`, signal);
  if (shoots !== undefined) {
    const of = reportsOf(await jsonOf(linesOf(shoots)), clock.now());
    const narrowed = only === undefined ? '' : `&shoot=${encodeURIComponent(only)}`;
    const episodes = await get(`${url}/episodes?since=24h${narrowed}`, signal);
    const headline = episodes === undefined ? undefined : headlineIn(await jsonOf(linesOf(episodes)));
    return { of, ...(lead && { lead }), ...(headline && { headline }) };
  }
  const metrics = await get(`${url}/metrics`, signal);
  if (metrics !== undefined) return await readMetrics(linesOf(metrics));
  return { problem: `${url} serves neither /shoots nor /metrics: is it a prober's --inspector-bind-addr?` };
}

/** Undefined where the address serves no such path. Not by `fetch`, which refuses some ports that a forward may well have. */
async function get(url: string, signal: AbortSignal): Promise<IncomingMessage | undefined> {
  const sent = request(url, { signal });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode = 0 } = response;
  if (statusCode === 200) return response;
  response.destroy();
  if (statusCode === 404) return undefined;
  throw new Error(`it answered ${statusCode} to ${new URL(url).pathname}`);
}

function tooLong(): Error {
  return new Error('it sends more than a prober would');
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let length = 0;
  for await (const line of readLines(body, new LineSplitter(mostBytes, tooLong))) {
    length += line.length;
    if (length > mostBytes) throw tooLong();
    yield line;
  }
}

/** Any program may answer there, and an older prober says nothing of its lead. */
async function readAbout(lines: AsyncIterable<string>): Promise<Readonly<{ program?: unknown; lead?: ProcessLead }>> {
  const about = await jsonOf(lines);
  const [leads, elects] = [valueAt(about, 'lead', 'leads'), valueAt(about, 'lead', 'elects')];
  const program = valueAt(about, 'runs', 0, 'program');
  return typeof leads === 'boolean' ? { program, lead: { leads, elects: elects === true } } : { program };
}

async function jsonOf(lines: AsyncIterable<string>): Promise<unknown> {
  let text = '';
  for await (const line of lines) text += line;
  return JSON.parse(text);
}

function wordsOf(error: unknown): string {
  // Both address families failed: the first one's error says enough.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const code = errorCode(first) ?? '';
  return code === 'ABORT_ERR'
    ? `no answer within ${lengthWords(answersWithin)}`
    : (errnoWords(code) ?? errorWords(first));
}

const stateSeries = /^dwd_shoot_state\{shoot="([^"]+)",state="(\w+)"\} 1$/;
const failedSeries = /^dwd_internal_path_failed\{shoot="([^"]+)"\} 1$/;
const unjudgedSeries = /^dwd_unjudged_shoots\{shoot="([^"]+)"\} 1$/;
const leaderSeries = /^dwd_leader ([01])$/;
const electedSeries = 'leader_election_master_status{';
const failing = 'the internal path has failed several times in a row';
const unjudged = 'its log says why';

/** As far as the metrics tell. */
const standings: Readonly<Record<ShootState, StandingState>> = {
  idle: 'leftAlone',
  probing: 'watched',
  leaseFailed: 'cutOff',
  scalingDown: 'scalingDown',
  scaledDown: 'scaledDown',
  scalingUp: 'scalingUp',
};

/** Reads from the text of a prober's metrics whether it leads, and each shoot's state; which cannot be judged (SPEC 5.8), and of two paths whether the internal one fails (SPEC 4.9). */
export async function readMetrics(lines: AsyncIterable<string>): Promise<Extract<ProberAnswer, { of: object }>> {
  const reports = new Map<ShootNamespace, ProberReport>();
  const failed = new Set<ShootNamespace>();
  const untold = new Set<ShootNamespace>();
  let [leads, elects]: [boolean | undefined, boolean] = [undefined, false];
  for await (const line of lines) {
    const [, shoot, state = ''] = stateSeries.exec(line.trimEnd()) ?? [];
    if (shoot !== undefined && isState(state)) reports.set(shoot, { state, standing: standings[state] });
    const [, leading] = leaderSeries.exec(line.trimEnd()) ?? [];
    if (leading !== undefined) leads = leading === '1';
    elects ||= line.startsWith(electedSeries);
    const [, unanswering] = failedSeries.exec(line.trimEnd()) ?? [];
    if (unanswering !== undefined) failed.add(unanswering);
    const [, untelling] = unjudgedSeries.exec(line.trimEnd()) ?? [];
    if (untelling !== undefined) untold.add(untelling);
  }
  const of = new Map(
    [...reports].map(([shoot, one]) => [shoot, withRemarks(one, failed.has(shoot), untold.has(shoot))]),
  );
  return leads === undefined ? { of } : { of, lead: { leads, elects } };
}

function withRemarks(report: ProberReport, fails: boolean, isUnjudged: boolean): ProberReport {
  const { state } = report;
  const silent = { probing: 'notAnswering', scaledDown: 'scaledDownNotAnswering' } as const;
  const standing = fails && (state === 'probing' || state === 'scaledDown') ? silent[state] : report.standing;
  return {
    state,
    standing: isUnjudged && standing === 'watched' ? 'unjudged' : standing,
    ...(fails ? { failing } : {}),
    ...(isUnjudged ? { unjudged } : {}),
  };
}

function isState(text: string): text is ShootState {
  return Object.hasOwn(standings, text);
}
