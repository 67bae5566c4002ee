import { createHash } from 'node:crypto';

/** A test person with an account at every provider. */
export type Person = {
  id: string;
  name: string;
  email: string;
  google: string;
  apple: string;
  /** Missing for a person whose WeChat account is known to one application only. */
  unionId: string | null;
};

export const people: readonly Person[] = [
  {
    id: 'mira',
    name: 'Mira Holm',
    email: 'mira@example.com',
    google: '104857600000000000001',
    apple: '000101.4f1c0a7be2d94c0f8f6f0c1d2e3a4b51.0801',
    unionId: 'oSandboxUnionMira00000000001',
  },
  {
    id: 'jun',
    name: 'Jun Takeda',
    email: 'jun@example.com',
    google: '104857600000000000002',
    apple: '000102.8a2d1b6cf3e05d1f9e7f1d2e3f4a5b62.0802',
    unionId: 'oSandboxUnionJun000000000002',
  },
  {
    id: 'lin',
    name: '林小雨',
    email: 'lin@example.com',
    google: '104857600000000000003',
    apple: '000103.9b3e2c7df4f16e2f0f8f2e3f4a5b6c73.0803',
    unionId: null,
  },
  {
    id: 'stranger',
    name: 'A stranger to every shop',
    email: 'stranger@example.com',
    google: '104857600000000000009',
    apple: '000109.0c4f3d8ef5027f3f1f9f3f4a5b6c7d84.0809',
    unionId: 'oSandboxUnionStranger0000009',
  },
];

export function findPerson(id: string | undefined): Person | undefined {
  return people.find((person) => person.id === id);
}

/** Facebook gives the same person a different id for each app. */
export function facebookIdOf(person: Person, appId: string): string {
  const digits = BigInt(`0x${digest('facebook', appId, person.id).slice(0, 14)}`).toString();
  return `10${digits.padStart(17, '0').slice(0, 15)}`;
}

/** WeChat's open ids differ for each app; the union id is the same for all apps of one owner. */
export function openIdOf(person: Person, appId: string): string {
  return `o${digest('wechat', appId, person.id).slice(0, 27)}`;
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
