import { expect, test } from 'vitest';
import { errorCodes } from './errors.ts';

test.each([
  ['AuthFail', 'User authentication failed'],
  ['EmailAccountNotFound', 'Account does not exist'],
  ['FacebookAccountNotFound', 'Account does not exist'],
  ['GameAccountNotFound', 'Account does not exist'],
  ['GooglePGAccountNotFound', 'Account does not exist'],
  ['LoginNameAccountNotFound', 'Account does not exist'],
  ['MobileAccountNotFound', 'Account does not exist'],
  ['AppleSignInAccountNotFound', 'Account does not exist'],
  ['InvalidMobileCode', 'Mobile phone verification code is incorrect'],
  ['InvalidParams', 'Parameter exception'],
  ['InvalidPassword', 'Incorrect password'],
  ['InvalidToken', 'illegal token'],
  ['SystemBusy', 'The system is busy'],
  ['AuthCodeSendTooFrequently', 'The verification code is obtained too frequently'],
  ['canNoEmailLogin', 'Email login is not supported, please choose another login method'],
  ['EPointInsufficient', 'The E-point balance is insufficient, please recharge.'],
  ['NotAvailableInIos', 'Not Available in iOS'],
  ['ServerMaintenance', 'The server is under maintenance, please try again later.'],
])('the error code %s exists and means "%s"', (code, meaning) => {
  expect(errorCodes).toHaveProperty(code, expect.objectContaining({ meaning }));
});

test('the error code InvalidToken has HTTP status 203 and SystemBusy 503', () => {
  expect(errorCodes.InvalidToken.status).toBe(203);
  expect(errorCodes.SystemBusy.status).toBe(503);
});

test('every error code has HTTP status 200, except for six codes', () => {
  const others = Object.entries(errorCodes).filter(([, { status }]) => status !== 200);
  expect(Object.fromEntries(others.map(([code, { status }]) => [code, status]))).toEqual({
    InvalidToken: 203,
    ForeignOrigin: 403,
    NotFound: 404,
    InternalError: 500,
    SystemBusy: 503,
    SiteUnavailable: 503,
  });
});
