"""A headless Chromium for the tests of pages, and what everyone at it can do."""

from __future__ import annotations

import json
import shutil
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
DRIVER = shutil.which("chromedriver")
DESKTOP, PHONE = (1280, 900), (390, 844)
ENTER, ESCAPE, TAB, SPACE = "\ue007", "\ue00c", "\ue004", "\ue00d"
LEFT, UP, RIGHT, DOWN, HOME, END = "\ue012", "\ue013", "\ue014", "\ue015", "\ue011", "\ue010"


def start_browser() -> Any:
    """A headless Chromium with its logs."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    # No sandbox: tests may run as root, and the pages are our own.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=DRIVER)
    )


class Window:
    """A window of the browser: its size and colours, what is in it, keys and the logs."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.resize(*DESKTOP)
        self.scheme("light")
        driver.get("about:blank")
        for kind in ("browser", "performance"):
            driver.get_log(kind)

    def resize(self, wide: int, high: int) -> None:
        size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def scheme(self, name: str) -> None:
        """Light or dark; without motion, so that nothing is measured on its way."""
        features = [
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def press(self, *keys: str) -> None:
        from selenium import webdriver

        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def complaints(self) -> list[str]:
        """What the console says is wrong, since it was last asked."""
        return [each["message"] for each in self.driver.get_log("browser")]

    def requested(self) -> list[str]:
        """The addresses that were asked for, since that was last asked."""
        messages = [json.loads(each["message"]) for each in self.driver.get_log("performance")]
        return [
            each["message"]["params"]["request"]["url"]
            for each in messages
            if each["message"]["method"] == "Network.requestWillBeSent"
        ]
