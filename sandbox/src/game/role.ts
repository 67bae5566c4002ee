import { atLeast, name, object, type ReadBy } from '../platform/shape.ts';

export const role = object({ roleId: name, name, level: atLeast(0) });
export type Role = ReadBy<typeof role>;
