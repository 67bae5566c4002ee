import { supportLink } from '@pointgate/contract/support.ts';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { errorText } from '../i18n/error-text.ts';
import { currentEnvironment } from '../session/environment.ts';

/** Why customer service did not open, and what more there is to say of it. */
interface SupportFailure {
  title: string;
  text: string | null;
}

interface Support {
  /** To be called by the click itself: later, browsers open no window. */
  ask: () => void;
  isBusy: boolean;
  failure: SupportFailure | null;
}

interface SupportOptions {
  /** The order that the question is about; it goes along, and nobody has to type its number. */
  paymentId?: string;
  /** For places that have no room to show a failure themselves. */
  onFailure?: (failureIn: (t: TFunction) => SupportFailure) => void;
}

/** Opens customer service beside the shop, or in its place inside other apps, which have one window. */
export function useSupport({ paymentId, onFailure }: SupportOptions = {}): Support {
  const { t } = useTranslation();
  // State arrives a moment after the click; the second click of a double click does not wait.
  const isUnderWay = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (_beside: Window | null) => {
      const asked = paymentId === undefined ? {} : { paymentId };
      return await call(supportLink, {}, {}, asked);
    },
    onSuccess: ({ url }, beside) => {
      if (beside === null) window.location.assign(url);
      // Who closed it meanwhile has thought better of it.
      else if (!beside.closed) beside.location.replace(url);
    },
    onError: (reason, beside) => {
      beside?.close();
      onFailure?.((say) => failureOf(say, reason));
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  return {
    ask: () => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutate(openBeside(t));
    },
    isBusy: isPending,
    failure: error === null ? null : failureOf(t, error),
  };
}

/** An empty window that says what it waits for; `null` where there is none to be had. */
function openBeside(t: TFunction): Window | null {
  if (currentEnvironment().host !== 'browser') return null;
  const beside = window.open('', '_blank');
  if (beside === null) return null;
  // Customer service is another's page: it must not be able to send the shop's window elsewhere.
  beside.opener = null;
  beside.document.title = t('support.opening');
  beside.document.body.textContent = t('support.opening');
  beside.document.body.style.cssText =
    'margin:0;display:grid;place-items:center;min-height:100vh;background:#0a0b1a;color:#f6f5ff;font:600 17px system-ui';
  return beside;
}

function failureOf(t: TFunction, error: unknown): SupportFailure {
  const isMissing = error instanceof ApiError && error.code === 'CustomerServiceMissing';
  if (isMissing) return { title: t('support.missing'), text: null };
  return { title: t('support.failed'), text: errorText(t, error) };
}
