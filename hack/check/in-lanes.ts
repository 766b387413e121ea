/** What a script came to, with all that it printed. */
export type Ended = Readonly<{ code: number; said: string; seconds: number }>;

/**
 * Runs scripts in lanes: those of one lane one after the other, the lanes side by side. What a script printed is said in one piece when it has
 * ended, so that no two mix. All are run, whatever fails. Resolves to the names of those that failed.
 */
export async function inLanes(
  lanes: readonly (readonly string[])[],
  { run, say }: Readonly<{ run: (script: string) => Promise<Ended>; say: (text: string) => void }>,
): Promise<readonly string[]> {
  const failed: string[] = [];
  const play = async (lane: readonly string[]) => {
    for (const script of lane) {
      const { code, said, seconds } = await run(script);
      const end = code === 0 ? 'passed' : `failed with code ${code}`;
      say(`${said === '' || said.endsWith('\n') ? said : `${said}\n`}== ${script} ${end}, ${seconds.toFixed(1)} s\n`);
      if (code !== 0) failed.push(script);
    }
  };
  await Promise.all(lanes.map(play));
  return failed;
}
