"""Campaigns over the fields of a scene file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from trundle.errors import CampaignError, MeasureError, SceneError
from trundle.sweep import make_campaign, run_campaign
from trundle.sweep.engine import make_jobs
from trundle.sweep.scenes import as_text, changed_tables
from trundle.sweep.store import identity

HERE = Path(__file__).parent
TABLES = tomllib.loads((HERE / "pile.toml").read_text())


def campaign(**table):
    return make_campaign({"scene": "pile.toml", "measures": ["height", "run-out"], **table}, folder=HERE)


def test_fields_are_found_by_number_name_and_pair_of_surfaces():
    changed = changed_tables(
        TABLES,
        {
            "surfaces.0.law.mu": 0.1,
            "surfaces.floor+grain.law.mu": 0.2,
            "grids.grain.density": 1.0,
            "gravity.2": -1.6,
            "seed": 4,
        },
        "pile.toml",
    )
    assert changed["surfaces"][0]["law"]["mu"] == 0.1
    assert changed["surfaces"][1]["law"]["mu"] == 0.2
    assert changed["grids"][0]["density"] == 1.0
    assert changed["gravity"] == [0.0, 0.0, -1.6]
    assert changed["simulation"]["seed"] == 4
    assert TABLES["surfaces"][0]["law"]["mu"] == 0.5  # the original is untouched


def test_tables_as_text_read_back_to_the_same():
    assert tomllib.loads(as_text(TABLES)) == TABLES


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gravitiy", "Did you mean 'gravity'"),
        ("bodies.floor.name.first", "nothing below 'floor'"),
        ("surfaces.grain+wall.law.mu", "unknown table"),
        ("grids.grains.density", "Did you mean 'grain'"),
        ("gravity.3", "components 0 to 2"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_ends(path, message):
    with pytest.raises(CampaignError, match=message):
        changed_tables(TABLES, {path: 1.0}, "pile.toml")


def test_fields_that_the_file_leaves_at_their_defaults_can_vary_too(tmp_path):
    tables = {key: value for key, value in TABLES.items() if key not in ("gravity", "simulation")}
    fields = {"gravity.2": -1.6, "surfaces.0.restitution": 0.5, "simulation.theta": 1.0}
    changed = changed_tables(tables, fields, "pile.toml")
    assert changed["gravity"] == [0.0, 0.0, -1.6]
    assert changed["surfaces"][0]["restitution"] == 0.5
    assert changed["simulation"] == {"theta": 1.0}
    with pytest.raises(SceneError, match="mu_x"):
        run_campaign(campaign(vary={"surfaces.0.law.mu_x": [0.1]}), tmp_path, workers=0)


def test_options_of_measures_can_vary(tmp_path):
    made = campaign(vary={"measure.run-out.origin": [[0.0, 0.0], [3.0, 0.0]]}, fixed={"simulation.duration": 0.01})
    found = run_campaign(made, tmp_path, workers=0).table
    assert list(found["error"]) == ["", ""]
    assert 2.8 < found["run_out"][1] < 3.1
    assert found["run_out"][0] < 0.3
    for path, message in (("measure.height.grund", "Did you mean 'ground'"), ("measure.height", "measure.NAME.OPTION")):
        with pytest.raises((CampaignError, MeasureError), match=message):
            run_campaign(campaign(vary={path: [0.0]}), tmp_path, workers=0)


def test_values_that_make_no_scene_and_unknown_measures_stop_before_the_first_run(tmp_path):
    with pytest.raises(SceneError, match="density"):
        run_campaign(campaign(vary={"grids.grain.density": [-1.0]}), tmp_path, workers=0)
    with pytest.raises(MeasureError, match="Did you mean 'height'"):
        run_campaign(campaign(measures=["heigth"], vary={"grids.grain.density": [1.0]}), tmp_path, workers=0)


def test_another_mesh_under_the_same_name_is_other_work(tmp_path):
    import trimesh

    floor = """[[bodies]]
name = "floor"
shape = "Mesh"
file = "floor.stl"
fixed = true
surface = "floor"
"""
    text = (HERE / "pile.toml").read_text()
    start, end = text.index("[[bodies]]"), text.index("[[grids]]")
    (tmp_path / "pile.toml").write_text(text[:start] + floor + text[end:])
    keys = []
    for size in (2.0, 3.0, 3.0):
        mesh = trimesh.creation.box((size, size, 0.1))
        mesh.apply_translation((0.0, 0.0, -0.05))
        mesh.export(tmp_path / "floor.stl")
        made = make_campaign({"scene": "pile.toml", "measures": ["height"], "vary": {"seed": [0]}}, folder=tmp_path)
        keys.append(identity(make_jobs(made)[0]))
    assert keys[0] != keys[1] == keys[2]


def test_a_pile_with_more_rolling_friction_stays_higher(tmp_path):
    both = "surfaces.0.law.mu_r, surfaces.1.law.mu_r"
    made = campaign(measures=["height", "run-out", "coordination", "modes"], vary={both: [0.0, 0.01]})
    result = run_campaign(made, tmp_path, workers=0)
    assert list(result.table["error"]) == ["", ""]
    low, high = result.table["height"]
    assert high > low + 0.005
    assert (result.table["coordination"] > 0.5).all()
    assert result.table.filter(like="mode_").sum(axis=1).round(12).eq(1.0).all()
