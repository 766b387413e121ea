import * as z from 'zod';

/** How the lead came to a process. `free`: nobody was seen to have it. `released`: who had it gave it back. `ranOut`: who had it did not renew its Lease. */
const takenHow = ['free', 'released', 'ranOut', 'noElection'] as const;

/** The time in which one process leads, as it says itself at the head of its journal (SPEC 9.6). */
export const Tenure = z.object({
  /** The process as the Lease names it, `POD_UUID`; without an election, its host. */
  identity: z.string(),
  tookAt: z.number(),
  how: z.enum(takenHow),
  /** Who led before; absent where it saw nobody lead. */
  from: z.string().optional(),
  /** Absent while it leads, and of a process that could not say it. */
  ended: z.object({ at: z.number(), why: z.string() }).optional(),
});

export type Tenure = Readonly<z.infer<typeof Tenure>>;

/** Whether a process leads. `elects`: it takes part in an election. Without one it leads while it sees the seed. */
export type ProcessLead = Readonly<{ leads: boolean; elects: boolean }>;
