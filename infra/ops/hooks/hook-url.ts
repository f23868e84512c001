import { AppError } from '../../../shared/domain/app-error.ts';

/**
 * Address that deliveries go to: the app's address and the route of the instance.
 * @throws AppError `rejected` when there is none, or when it is not https: deliveries carry secrets.
 */
export function hookUrl(instance: string, given: string | undefined, publicUrl: URL | undefined): URL {
  const route = `/webhooks/${instance}`;
  const url = URL.parse(given ?? publicUrl?.href ?? '');
  if (url === null) throw wrong('Say where the app is: --url https://... or GATEHOUSE_PUBLIC_URL.');
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw wrong('The address of the app must be https and hold no user name or password.');
  const path = url.pathname.replace(/\/+$/, '');
  return new URL(path.endsWith(route) ? path : `${path}${route}`, url.origin);
}

function wrong(message: string): AppError {
  return new AppError({ kind: 'rejected', code: 'url', message });
}
