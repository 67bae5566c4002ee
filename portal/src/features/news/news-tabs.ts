import type { bulletinList } from '@pointgate/contract/bulletins.ts';
import type { BodyOf } from '@pointgate/contract/endpoint.ts';

export type NewsTab = BodyOf<typeof bulletinList>['tab'];

export const newsTabs = ['all', 'activity', 'strategy'] as const satisfies readonly NewsTab[];
