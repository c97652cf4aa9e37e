"""Asking the explorer's server as a browser would, without a network."""

from concurrent.futures import ThreadPoolExecutor

import anyio
import httpx

LOCAL = "http://127.0.0.1:8437"


class Client:
    """Asks an application as a browser would: it keeps cookies, and follows no redirect."""

    def __init__(self, app, base_url=LOCAL):
        self.app, self.base_url, self.cookies = app, base_url, httpx.Cookies()

    def get(self, path, **options):
        return self._ask("GET", path, options)

    def post(self, path, **options):
        return self._ask("POST", path, options)

    def get_together(self, paths):
        """Ask for all of them at once; the status of each answer."""
        statuses = {}

        async def ask(client, path):
            statuses[path] = (await client.get(self.base_url + path)).status_code

        async def ask_all():
            async with (
                httpx.AsyncClient(transport=httpx.ASGITransport(self.app)) as client,
                anyio.create_task_group() as g,
            ):
                for path in paths:
                    g.start_soon(ask, client, path)

        with ThreadPoolExecutor(1) as pool:
            pool.submit(anyio.run, ask_all).result()
        return list(statuses.values())

    def _ask(self, method, path, options):
        async def ask():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url=self.base_url, cookies=self.cookies) as client:
                answer = await client.request(method, self.base_url + path, **options)
                self.cookies.update(client.cookies)
                return answer

        # In a thread of its own: a browser that is open in this one keeps an event loop running there.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(anyio.run, ask).result()
