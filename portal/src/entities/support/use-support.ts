import { supportLink } from '@pointgate/contract/support.ts';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { errorText } from '../../shared/i18n/error-text.ts';

/** The error text if customer service did not open. */
interface SupportFailure {
  title: string;
  text: string | null;
}

interface Support {
  /** Must be called synchronously in the click: later, browsers block the window. */
  ask: () => void;
  isBusy: boolean;
  failure: SupportFailure | null;
}

interface SupportOptions {
  /** The order to attach, so that the player need not type its number. */
  paymentId?: string;
  /** Called with the error, for components without space to show it. */
  onFailure?: (failureIn: (t: TFunction) => SupportFailure) => void;
}

/** Opens customer service in a new window, or in place of the shop inside in-app browsers. */
export function useSupport({ paymentId, onFailure }: SupportOptions = {}): Support {
  const { t } = useTranslation();
  // A ref, because state is set only after a render, which a double click may precede.
  const isUnderWay = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (_beside: Window | null) => {
      const asked = paymentId === undefined ? {} : { paymentId };
      return await call(supportLink, {}, {}, asked);
    },
    onSuccess: ({ url }, beside) => {
      if (beside === null) window.location.assign(url);
      // The player may have closed the window in the meantime.
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

/** Opens an empty window with a loading text; `null` if the browser blocks it. */
function openBeside(t: TFunction): Window | null {
  if (currentEnvironment().host !== 'browser') return null;
  const beside = window.open('', '_blank');
  if (beside === null) return null;
  // Prevents the third-party page from navigating the window of the shop (tabnabbing).
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
