import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that a double click starts only once. `isPending` is set after a render, which the
 * second click may precede.
 */
export function useAction<Reply, Input = void>(options: UseMutationOptions<Reply, Error, Input>) {
  const isUnderWay = useRef(false);
  const {
    mutate,
    mutateAsync: _unguarded,
    ...action
  } = useMutation({
    ...options,
    onSettled: (...outcome) => {
      isUnderWay.current = false;
      return options.onSettled?.(...outcome);
    },
  });
  const start: typeof mutate = (...input) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(...input);
  };
  return { ...action, mutate: start };
}
